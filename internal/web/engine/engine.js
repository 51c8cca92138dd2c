// Runs the server's tools in this page, as WebAssembly in a worker. The worker is
// created, and the engine loaded, on first use. The input never leaves the page.
//
//   const engine = new Engine({ folder, size, baseURL, provider, version });
//   const { status, text } = await engine.call("/v1/tools/NAME", body, { signal, progress });
//
// folder is the URL of the folder that contains this file. size is the uncompressed
// size of engine.wasm in bytes. baseURL, provider and version appear in responses
// (see place.js).
//
// body is the object that the client would otherwise send with POST. text is the
// response body that the server would return. progress receives {phase, loaded,
// size}. phase is loading (loaded of size bytes have arrived), starting or running.
// Aborting the signal terminates the worker, because a running tool cannot be
// interrupted. The next call starts a new worker and reuses the compiled module
// where the browser permits it. A call rejects with an EngineError if there is no
// response.
//
// Messages to the worker:
//
//   {type: "start", module | address, keep, baseURL, provider, version}   once
//   {type: "call", id, path, body}
//
// Messages from the worker:
//
//   {type: "loading", loaded}
//   {type: "ready"}
//   {type: "module", module}   if keep is set
//   {type: "running", id}
//   {type: "response", id, status, text}
//   {type: "broken", message}

export class EngineError extends Error {}

// The Trusted Types policy permits only one script URL here: the worker's.
const scripts = new WeakMap();
let policy;

function scriptOf(info) {
  const address = `${info.folder}/worker.js`;
  if (!globalThis.trustedTypes) return address;
  policy ??= trustedTypes.createPolicy("convertd-engine", {
    createScriptURL: (url) => {
      if (!/^[\w./-]*\/assets\/[0-9a-f]{12}\/worker\.js$/.test(url)) throw new TypeError("not the URL of the engine");
      return url;
    },
  });
  if (!scripts.has(info)) scripts.set(info, policy.createScriptURL(address));
  return scripts.get(info);
}

// Only Chromium lets a page keep a compiled module for its next worker. Other
// browsers block it under the page's Content Security Policy, which permits
// WebAssembly only in workers. There, the next worker loads the file from the
// browser's cache and compiles it again.
const keeps = "userAgentData" in navigator;

export class Engine {
  #info;
  #module; // the compiled module, if the browser can keep it
  #ready = false; // whether a worker has loaded the engine before
  #worker;
  #calls = new Map(); // {resolve, reject, progress} by id
  #next = 1;
  #loading; // the loading progress, reported to new calls
  #watch; // receives the progress in addition to the calls

  constructor(info) {
    this.#info = info;
  }

  // loaded reports whether calls no longer need the server.
  get loaded() {
    return this.#ready;
  }

  // start begins loading the engine unless it has already begun. watch receives the
  // progress, and {phase: "broken"} if loading fails.
  start(watch = this.#watch) {
    this.#watch = watch;
    if (this.#worker) return;
    const { folder, baseURL, provider, version } = this.#info;
    const worker = new Worker(scriptOf(this.#info), { type: "module", name: "convertd engine" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => this.#worker === worker && this.#receive(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#break("The engine could not be loaded.");
    });
    this.#loading = this.#module ? { phase: "starting", loaded: this.#info.size } : { phase: "loading", loaded: 0 };
    const source = this.#module ? { module: this.#module } : { address: new URL(`${folder}/engine.wasm`, location.href).href };
    worker.postMessage({ type: "start", ...source, keep: keeps && !this.#module, baseURL, provider, version });
  }

  // stop terminates the worker and rejects all pending calls.
  stop() {
    this.#break("The engine was stopped.");
  }

  call(path, body, { signal, progress } = {}) {
    signal?.throwIfAborted();
    this.start();
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#calls.delete(id);
        reject(signal.reason);
        this.stop();
      };
      signal?.addEventListener("abort", abort, { once: true });
      const end = (settle) => (value) => {
        signal?.removeEventListener("abort", abort);
        settle(value);
      };
      this.#calls.set(id, { resolve: end(resolve), reject: end(reject), progress });
      progress?.({ ...this.#loading, size: this.#info.size });
      this.#worker.postMessage({ type: "call", id, path, body });
    });
  }

  #receive(data) {
    const call = this.#calls.get(data.id);
    switch (data.type) {
      case "loading":
        this.#notify({ phase: "loading", loaded: data.loaded });
        break;
      case "ready":
        this.#ready = true;
        this.#notify({ phase: "starting", loaded: this.#info.size });
        break;
      case "module":
        this.#module = data.module;
        break;
      case "running":
        call?.progress?.({ phase: "running", loaded: this.#info.size, size: this.#info.size });
        break;
      case "response":
        this.#calls.delete(data.id);
        call?.resolve({ status: data.status, text: data.text });
        break;
      case "broken":
        this.#break("The engine broke off; the input may be too large for this browser.");
    }
  }

  #notify(progress) {
    this.#loading = progress;
    for (const call of this.#calls.values()) call.progress?.({ ...progress, size: this.#info.size });
    this.#watch?.({ ...progress, size: this.#info.size });
  }

  #break(message) {
    this.#worker?.terminate();
    this.#worker = undefined;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of calls) call.reject(new EngineError(message));
    this.#watch?.({ phase: "broken" });
  }
}
