// The tools as WebAssembly, in a worker (cmd/engine). One message starts it and
// each further one is a call; engine.js of the editor documents them. What comes
// back for a call is what the service answers to the same POST, byte for byte.

import "./wasm_exec.js";

const start = async ({ module, address, keep, baseURL, provider, version }) => {
  const go = new Go();
  const compiled = module ?? (await WebAssembly.compileStreaming(watched(await fetch(address, { credentials: "omit" }))));
  const instance = await WebAssembly.instantiate(compiled, go.importObject);
  go.run(instance).then(() => postMessage({ type: "broken" }));
  const call = globalThis.start(baseURL, provider, version);
  postMessage({ type: "ready" });
  if (keep) postMessage({ type: "module", module: compiled });
  return call;
};

// watched is a response that tells how many bytes of it, unpacked, have come.
function watched(response) {
  if (!response.ok) throw new Error(`status ${response.status}`);
  let loaded = 0;
  const count = new TransformStream({
    transform(chunk, controller) {
      loaded += chunk.byteLength;
      postMessage({ type: "loading", loaded });
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), { headers: { "Content-Type": "application/wasm" } });
}

let started;

addEventListener("message", async ({ data }) => {
  try {
    if (data.type === "start") {
      started = start(data);
      await started;
      return;
    }
    const call = await started;
    postMessage({ type: "running", id: data.id });
    const { status, body } = call(data.path, new TextEncoder().encode(JSON.stringify(data.body)));
    postMessage({ type: "answer", id: data.id, status, text: new TextDecoder().decode(body) });
  } catch (error) {
    postMessage({ type: "broken", message: String(error) });
  }
});
