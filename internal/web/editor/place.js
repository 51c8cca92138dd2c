// Where recipes run: on this server, or, switched on by the person, in this page,
// by the engine that a server may have (engine.js in its own folder, loaded when
// it is switched on). The choice is remembered in this browser, and the engine is
// loaded with a page then, so that the server may go at any time.
//
// A page needs #place with the engine's data (templates/editor.html), #in-page and
// #privacy; place.send in the place of runner.js's send, for each call; place.said
// behind what it says of an output; place.most(limits) for the size of a file.

import { byId, bytes, store, stored } from "./dom.js";
import { root } from "./description.js";
import { send } from "./runner.js";

const key = "convertd.in-page";
const most = 64 << 20; // bytes of a file that a page takes
const there = "on the server";

// offered is what the page says of the engine, undefined when the server has none
// or the browser cannot run it.
function offered() {
  const node = byId("place");
  if (!node || typeof WebAssembly !== "object" || typeof Worker !== "function") return undefined;
  const { engine, size, packed, base, provider, version } = node.dataset;
  return { folder: engine, size: Number(size), packed: Number(packed), baseURL: base, provider, version };
}

export class Place {
  #engine; // a promise of it, once it is needed
  #loaded = () => false; // whether it needs the server no more
  #info;
  #here = false;
  #last = there; // where the last answer came from

  // changed is called when the person has chosen.
  constructor(changed) {
    this.#info = offered();
    if (!this.#info) return;
    const box = byId("in-page");
    this.#here = stored(key) === "1";
    box.checked = this.#here;
    byId("place").hidden = false;
    box.addEventListener("change", () => {
      this.#here = box.checked;
      store(key, this.#here ? "1" : null);
      if (this.#here) this.#begin();
      else this.#engine?.then((engine) => engine.stop(), () => {});
      this.#note();
      changed();
    });
    if (this.#here) setTimeout(() => this.#begin()); // behind what the page itself needs
    this.#note();
  }

  // begin loads the engine before it is needed; a call tells why it could not be.
  #begin() {
    this.#load().then((engine) => engine.start((progress) => this.#note(progress)), () => this.#note());
  }

  // away is what a problem says when the service did not answer: the same engine
  // may run here. use is called once it is switched on.
  away(use) {
    if (!this.#info || this.#here) return {};
    if (!this.#loaded()) {
      return { hint: `Check the connection, then run again. “Run in this page” needs no server, but the engine (${bytes(this.#info.packed)}) was not loaded before this one went: switch it on as soon as the server answers.` };
    }
    return {
      hint: "Check the connection, then run again; or run it here: this page has the same engine, and the text does not leave this device.",
      mend: [["Run in this page", () => {
        byId("in-page").click();
        use();
      }]],
    };
  }

  // most is how many bytes a file may have where recipes run now.
  most(limits) {
    return this.#here ? most : limits.requestBytes;
  }

  // said is where the last answer was made.
  get said() {
    return this.#last;
  }

  // send is runner.js's, here or there.
  send = async (call, signal) => {
    if (!this.#here) {
      const reply = await send(call, signal);
      this.#last = there;
      return reply;
    }
    try {
      const path = call.path.slice(root.length);
      const engine = await this.#load();
      const { status, text } = await engine.call(path, call.body, { signal, progress: (p) => this.#note(p) });
      this.#last = "in this page";
      return { ok: status === 200, answer: JSON.parse(text), headers: new Headers() };
    } catch (error) {
      if (signal?.aborted) throw error;
      const broken = this.#loaded()
        ? { title: "No result in this page", detail: error.message, hint: "Send less at once, or switch off “Run in this page”, which then sends the text to this server." }
        : { title: "The engine is not here yet", detail: "It could not be loaded: the server did not answer, or the connection broke.", hint: "Run again once the server answers; after that, the engine needs it no more." };
      return { ok: false, answer: broken, headers: new Headers() };
    } finally {
      this.#note();
    }
  };

  #load() {
    this.#engine ??= import(`${this.#info.folder}/engine.js`).then(({ Engine }) => {
      const engine = new Engine(this.#info);
      this.#loaded = () => engine.loaded;
      return engine;
    });
    this.#engine.catch(() => (this.#engine = undefined)); // or it would never be tried again
    return this.#engine;
  }

  #note(progress) {
    let text = `Run and live preview send the input to this server, which does not store it. Run in this page needs no server: ${this.#loaded() ? "the engine is loaded" : `it loads ${bytes(this.#info.packed)} once`}.`;
    if (this.#here) text = `Runs in this page: the text does not leave this device${this.#loaded() ? ", and no server is needed" : ""}.`;
    if (this.#here && progress?.phase === "loading") {
      text += ` Loading ${bytes(this.#info.packed)}, once: ${Math.floor((100 * progress.loaded) / progress.size)} %.`;
    }
    byId("privacy").textContent = text;
  }
}
