// The engine in this page: the service's own tools as WebAssembly, in a worker
// that is made, and loaded, when it is first needed. Text that it is given does
// not leave the page.
//
//   const engine = new Engine({ folder, size, baseURL, provider, version });
//   const { status, text } = await engine.call("/v1/tools/NAME", body, { signal, progress });
//
// folder is the address of the folder of this file, size the bytes of engine.wasm
// unpacked; the others are what answers say of the service (see place.js).
//
// body is the object that is else sent by POST, text what the service would have
// answered. progress is told {phase, loaded, size}: phase is loading (bytes of
// size have come), starting or running. An abort ends the worker, which is the
// one way to stop it at once; the next call has another, of the module that is
// compiled already. A call throws EngineError when there is no answer.
//
// Messages to the worker:
//   {type: "start", module | address, keep, baseURL, provider, version}   once
//   {type: "call", id, path, body}
// and from it:
//   {type: "loading", loaded}, {type: "ready"}, {type: "module", module} if it is
//   to be kept, {type: "running", id}, {type: "answer", id, status, text}, {type: "broken", message}

export class EngineError extends Error {}

// The one address that a script may have here besides the page's own (Trusted
// Types): the worker's.
const scripts = new WeakMap();
let policy;

function scriptOf(info) {
  const address = `${info.folder}/worker.js`;
  if (!globalThis.trustedTypes) return address;
  policy ??= trustedTypes.createPolicy("convertd-engine", {
    createScriptURL: (asked) => {
      if (!/^[\w./-]*\/assets\/[0-9a-f]{12}\/worker\.js$/.test(asked)) throw new TypeError("not the engine's address");
      return asked;
    },
  });
  if (!scripts.has(info)) scripts.set(info, policy.createScriptURL(address));
  return scripts.get(info);
}

// A page may keep a module for its next worker in Chromium alone: others hold it
// against the page's policy, which lets only workers have WebAssembly. There the
// next worker takes the file from the browser's cache, and compiles it again.
const keeps = "userAgentData" in navigator;

export class Engine {
  #info;
  #module; // compiled, once there is one
  #ready = false; // whether there was one in a worker
  #worker;
  #calls = new Map(); // {resolve, reject, progress} by id
  #next = 1;
  #loading; // progress before a call runs
  #watch; // told of progress besides the calls

  constructor(info) {
    this.#info = info;
  }

  // loaded reports whether calls need the server no more.
  get loaded() {
    return this.#ready;
  }

  // start loads the engine, if that has not begun; watch is told of the progress,
  // and {phase: "broken"} when it could not be loaded.
  start(watch = this.#watch) {
    this.#watch = watch;
    if (this.#worker) return;
    const { folder, baseURL, provider, version } = this.#info;
    const worker = new Worker(scriptOf(this.#info), { type: "module", name: "convertd engine" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => this.#worker === worker && this.#told(data));
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      if (this.#worker === worker) this.#break("The engine could not be loaded.");
    });
    this.#loading = this.#module ? { phase: "starting", loaded: this.#info.size } : { phase: "loading", loaded: 0 };
    const source = this.#module ? { module: this.#module } : { address: new URL(`${folder}/engine.wasm`, location.href).href };
    worker.postMessage({ type: "start", ...source, keep: keeps && !this.#module, baseURL, provider, version });
  }

  // stop ends the worker and all calls.
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

  #told(data) {
    const call = this.#calls.get(data.id);
    switch (data.type) {
      case "loading":
        this.#tell({ phase: "loading", loaded: data.loaded });
        break;
      case "ready":
        this.#ready = true;
        this.#tell({ phase: "starting", loaded: this.#info.size });
        break;
      case "module":
        this.#module = data.module;
        break;
      case "running":
        call?.progress?.({ phase: "running", loaded: this.#info.size, size: this.#info.size });
        break;
      case "answer":
        this.#calls.delete(data.id);
        call?.resolve({ status: data.status, text: data.text });
        break;
      case "broken":
        this.#break("The engine broke off; the input may be too large for this browser.");
    }
  }

  #tell(progress) {
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
