// Starts a separate service for a test that stops it.

import { spawn } from "node:child_process";
import { createServer } from "node:net";

export const servers = new Set(); // the origins of all servers

// server starts a service and returns its origin and a stop function.
export async function server() {
  const port = await new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
  const child = spawn(process.env.CONVERTD_BINARY, ["serve", `--listen=127.0.0.1:${port}`, "--rate-limit=0", "--shutdown-timeout=1s"], { stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    if (await fetch(`${origin}/healthz`).then((r) => r.ok, () => false)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  servers.add(origin);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  return { origin, stop: () => (child.kill("SIGKILL"), ended) };
}
