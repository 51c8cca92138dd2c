// Decides where recipes run: on this server or, if the user chooses, in this page.
// Switching it on loads the engine. The choice is saved in this browser. On later
// visits the engine loads with the page, so that recipes run without the server from
// then on.

import { byId, bytes, store, stored } from "./dom.js";
import { root } from "./openapi.js";
import { send } from "./runner.js";

const key = "convertd.in-page";
const maxFileSize = 64 << 20; // maximum file size in this page, in bytes
const onServer = "on the server";

// engineInfo returns the engine data from #place. It returns undefined if the build has
// no engine or the browser cannot run it.
function engineInfo() {
  const node = byId("place");
  if (!node || typeof WebAssembly !== "object" || typeof Worker !== "function") return undefined;
  const { engine, size, packed, base, provider, version } = node.dataset;
  return { folder: engine, size: Number(size), packed: Number(packed), baseURL: base, provider, version };
}

export class Place {
  #engine; // a promise, created on first use
  #loaded = () => false; // reports whether the engine works without the server
  #info;
  #inPage = false;
  #lastRun = onServer; // where the last recipe ran

  // changed is called after the user switches.
  constructor(changed) {
    this.#info = engineInfo();
    if (!this.#info) return;
    const box = byId("in-page");
    this.#inPage = stored(key) === "1";
    box.checked = this.#inPage;
    byId("place").hidden = false;
    box.addEventListener("change", () => {
      this.#inPage = box.checked;
      store(key, this.#inPage ? "1" : null);
      if (this.#inPage) this.#preload();
      else this.#engine?.then((engine) => engine.stop(), () => {});
      this.#showState();
      changed();
    });
    if (this.#inPage) setTimeout(() => this.#preload()); // load the page first
    this.#showState();
  }

  // preload loads the engine in advance. If loading fails, the next request reports
  // why.
  #preload() {
    this.#load().then((engine) => engine.start((progress) => this.#showState(progress)), () => this.#showState());
  }

  // whenOffline returns properties to add to a problem when the server did not respond.
  // They suggest running in this page. use is called once the user switches it on.
  whenOffline(use) {
    if (!this.#info || this.#inPage) return {};
    if (!this.#loaded()) {
      return { hint: `Check the connection, then run again. “Run in this page” needs no server, but its engine (${bytes(this.#info.packed)}) is not loaded yet: switch it on once the server responds.` };
    }
    return {
      hint: "Check the connection, then run again. Or run it here: this page has the same engine, and the input stays on this device.",
      fixes: [["Run in this page", () => {
        byId("in-page").click();
        use();
      }]],
    };
  }

  // maxFileSize returns the maximum file size in bytes.
  maxFileSize(limits) {
    return this.#inPage ? maxFileSize : limits.requestBytes;
  }

  // lastRun returns where the last recipe ran.
  get lastRun() {
    return this.#lastRun;
  }

  // send sends a request, like send in runner.js, to the engine in this page or to
  // the server.
  send = async (call, signal) => {
    if (!this.#inPage) {
      const reply = await send(call, signal);
      this.#lastRun = onServer;
      return reply;
    }
    try {
      const path = call.path.slice(root.length);
      const engine = await this.#load();
      const { status, text } = await engine.call(path, call.body, { signal, progress: (p) => this.#showState(p) });
      this.#lastRun = "in this page";
      return { ok: status === 200, body: JSON.parse(text), headers: new Headers() };
    } catch (error) {
      if (signal?.aborted) throw error;
      const problem = this.#loaded()
        ? { title: "The engine in this page failed", detail: error.message, hint: "Try a smaller input, or switch off “Run in this page” to send it to this server." }
        : { title: "The engine is not loaded yet", detail: "It could not be loaded: the server did not respond, or the connection broke.", hint: "Run again once the server responds. After that, no server is needed." };
      return { ok: false, body: problem, headers: new Headers() };
    } finally {
      this.#showState();
    }
  };

  #load() {
    this.#engine ??= import(`${this.#info.folder}/engine.js`).then(({ Engine }) => {
      const engine = new Engine(this.#info);
      this.#loaded = () => engine.loaded;
      return engine;
    });
    this.#engine.catch(() => (this.#engine = undefined)); // allow a retry
    return this.#engine;
  }

  #showState(progress) {
    let text = `Run and live preview send the input to this server, which does not store it. Run in this page needs no server: ${this.#loaded() ? "the engine is loaded" : `it loads ${bytes(this.#info.packed)} once`}.`;
    if (this.#inPage) text = `Runs in this page: the input stays on this device${this.#loaded() ? ", and no server is needed" : ""}.`;
    if (this.#inPage && progress?.phase === "loading") {
      text += ` Loading the engine (${bytes(this.#info.packed)}, once): ${Math.floor((100 * progress.loaded) / progress.size)} %.`;
    }
    byId("privacy").textContent = text;
  }
}
