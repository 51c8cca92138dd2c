// A page that calls an API, and the server of both, which logs what the page calls. Recordings of it are the inputs of
// har.test.mjs and of internal/tools/apiconvert/testdata/recordings.

import { createServer } from "node:http";

// secrets are in the recorded requests and responses. No output may contain them.
export const secrets = ["pw-4Lk9Zq27Tx", "at_7f3e9c1d5b8a2460", "c0ffee5e55104b1d9e77", "lavender-fields", "ghp_R3c0rd3dTr4ff1cN3v3rL34ks0123456789"];
const [password, accessToken, session, setting, personalToken] = secrets;

const orders = [{ id: 7, sku: "A-1", total: 12.5, note: null }, { id: 8, sku: "B-2", total: 3, note: "gift" }, { id: 9, sku: "C-3", total: 40.25, note: null }];

const files = {
  "/": ["text/html; charset=utf-8", '<!doctype html><link rel=stylesheet href=/look.css><img src=/logo.svg alt=Logo><p id=state></p><script type=module src=/app.js></script>'],
  "/look.css": ["text/css", "p { color: teal }"],
  "/logo.svg": ["image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
  "/app.js": ["text/javascript", `(${app})();\n//# sourceMappingURL=app.js.map`],
  "/favicon.ico": ["image/x-icon", ""],
};

// app is the script of the page.
async function app() {
  const json = { "Content-Type": "application/json" };
  const rates = (await (await fetch("/config.json")).json()).rates;
  const login = await (await fetch("/api/login", { method: "POST", headers: json, body: JSON.stringify({ user: "ann", password: "pw-4Lk9Zq27Tx" }) })).json();
  const headers = { Authorization: `Bearer ${login.access_token}`, Accept: "application/json" };
  await fetch("/api/orders?page=1&status=open", { headers });
  for (const id of [7, 8, 9, 404]) await fetch(`/api/orders/${id}`, { headers });
  await fetch("/api/orders", { method: "POST", headers: { ...headers, ...json }, body: JSON.stringify({ sku: "D-4", amount: 2 }) });
  await fetch("/api/orders/7/note", { method: "PUT", headers, body: new URLSearchParams({ text: "by door", urgent: "true" }) });
  const form = new FormData();
  form.append("title", "scan");
  form.append("file", new Blob(["x,y\n1,2\n"], { type: "text/csv" }), "scan.csv");
  await fetch("/api/uploads", { method: "POST", headers, body: form });
  await fetch("/api/orders/8", { method: "DELETE", headers });
  await new Promise((resolve) => {
    const request = Object.assign(new XMLHttpRequest(), { onloadend: resolve });
    request.open("GET", "/api/orders.xml");
    request.send();
  });
  for (let i = 0; i < 2; i++) await fetch(`${rates}/v1/rates`, { headers: { "X-Client": "shop" } });
  navigator.sendBeacon("/stats", "load");
  document.getElementById("state").textContent = "done";
}

const answers = {
  "GET /config.json": (request, respond) => respond(200, { rates: request.rates, debug_token: personalToken }),
  "POST /api/login": (request, respond) => respond(200, { access_token: accessToken, expires_in: 3600 }, { "Set-Cookie": [`sid=${session}; Path=/; HttpOnly`, `theme=${setting}; Path=/`] }),
  "GET /api/orders": (request, respond) => respond(200, { orders, total: 3 }, { "X-Total-Count": "3" }),
  "POST /api/orders": (request, respond) => respond(201, { id: 10, sku: "D-4", total: 8, note: null }, { Location: "/api/orders/10" }),
  "GET /api/orders/": (request, respond) => {
    const found = orders.find(({ id }) => request.url.endsWith(`/${id}`));
    respond(found ? 200 : 404, found ?? { type: "about:blank", title: "Not found", status: 404 }, found ? {} : { "Content-Type": "application/problem+json" });
  },
  "PUT /api/orders/": (request, respond) => respond(204),
  "DELETE /api/orders/": (request, respond) => respond(204),
  "POST /api/uploads": (request, respond) => respond(202, { state: "queued" }),
  "GET /api/orders.xml": (request, respond) => respond(200, "<orders/>", { "Content-Type": "application/xml" }),
  "GET /v1/rates": (request, respond) => respond(200, [{ currency: "EUR", rate: 1.07 }, { currency: "JPY", rate: 163 }]),
  "POST /stats": (request, respond) => respond(204),
};

// shop starts the servers of the page and of another API. It returns the URL of the page, the calls that the servers
// logged, as {method, origin, path, status}, and a stop function. Its log has neither files nor preflight requests.
export async function shop() {
  const calls = [];
  let rates;
  const start = (offset) => new Promise((resolve) => {
    const server = createServer((request, response) => {
      const origin = `http://127.0.0.1:${server.address().port}`;
      const path = new URL(request.url, origin).pathname;
      const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "x-client" };
      request.resume();
      const respond = (status, body, headers = {}) => {
        const text = typeof body === "object" ? JSON.stringify(body) : body ?? "";
        response.writeHead(status, { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...cors, ...headers }).end(text);
      };
      const file = offset === 0 && request.method === "GET" && files[path];
      if (file) return respond(200, file[1], { "Content-Type": file[0] });
      if (request.method === "OPTIONS") return respond(204);
      const key = `${request.method} ${path}`;
      const answer = answers[key] ?? answers[key.replace(/\d+(\/note)?$/, "")];
      if (!answer) return respond(404, "<p>Not found</p>", { "Content-Type": "text/html" });
      request.rates = rates;
      answer(request, (status, ...rest) => {
        if (path !== "/stats") calls.push({ method: request.method, origin, path, status });
        respond(status, ...rest);
      });
    }).listen(0, "127.0.0.1", () => resolve(server));
  });
  const servers = [await start(0), await start(1)];
  const [page, other] = servers.map((server) => `http://127.0.0.1:${server.address().port}`);
  rates = other;
  return { page, rates, calls, stop: () => servers.forEach((server) => (server.closeAllConnections(), server.close())) };
}
