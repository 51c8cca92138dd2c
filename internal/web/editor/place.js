// Where recipes run: on this server, or, switched on by the person, in this page,
// by the engine that a server may have (engine.js in its own folder, loaded when
// it is first needed). The choice is remembered in this browser.
//
// A page needs #place with the engine's data (templates/editor.html), #in-page and
// #privacy; place.send in the place of runner.js's send, for each call; place.said
// behind what it says of an output; place.most(limits) for the size of a file.

import { byId, bytes } from "./dom.js";
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
  #info;
  #here = false;
  #last = there; // where the last answer came from

  // changed is called when the person has chosen.
  constructor(changed) {
    this.#info = offered();
    if (!this.#info) return;
    const box = byId("in-page");
    this.#here = localStorage.getItem(key) === "1";
    box.checked = this.#here;
    byId("place").hidden = false;
    box.addEventListener("change", () => {
      this.#here = box.checked;
      if (this.#here) {
        localStorage.setItem(key, "1");
        this.#load().then((engine) => engine.start(), () => {}); // a call tells why not
      } else {
        localStorage.removeItem(key);
        this.#engine?.then((engine) => engine.stop(), () => {});
      }
      this.#note();
      changed();
    });
    this.#note();
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
      const broken = { title: "No result in this page", detail: error.message, hint: "Send less at once, or switch off “Run in this page”, which then sends the text to this server." };
      return { ok: false, answer: broken, headers: new Headers() };
    } finally {
      this.#note();
    }
  };

  #load() {
    this.#engine ??= import(`${this.#info.folder}/engine.js`).then(({ Engine }) => new Engine(this.#info));
    this.#engine.catch(() => (this.#engine = undefined)); // or it would never be tried again
    return this.#engine;
  }

  #note(progress) {
    let text = "Run sends the text to this server, which does not keep it.";
    if (this.#here) text = "Runs in this page: the text does not leave this device.";
    if (progress?.phase === "loading") {
      text += ` Loading ${bytes(this.#info.packed)}, once: ${Math.floor((100 * progress.loaded) / progress.size)} %.`;
    }
    byId("privacy").textContent = text;
  }
}
