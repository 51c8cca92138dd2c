// Runs the tools as WebAssembly in a worker (cmd/engine). The first message starts
// the engine, and each later message is a call; engine.js documents them. The result
// of a call is byte for byte the response body that the server returns to the same
// POST request.

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

// watched returns a copy of response that reports how many uncompressed bytes have
// arrived.
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
    postMessage({ type: "response", id: data.id, status, text: new TextDecoder().decode(body) });
  } catch (error) {
    postMessage({ type: "broken", message: String(error) });
  }
});
