// Records six tasks in the editor as an animated PNG: node tour.mjs BASE FILE PID.
// PID is the process ID of the service, which the last task stops. `make tour`
// starts the service and writes docs/tour.png.

import { writeFile } from "node:fs/promises";
import { chromium } from "playwright-core";
import { animated } from "./apng.mjs";

const [base, to, service] = process.argv.slice(2);
const viewport = { width: 1280, height: 700 };
const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

const scenes = [
  ["Decode a token and see when it expired", async (page, { paste, frame }) => {
    const now = Math.floor(Date.now() / 1000);
    await paste(`Bearer ${encode({ alg: "RS256", kid: "2026-07" })}.${encode({ iss: "https://id.example.com", sub: "ann", exp: now - 260_000 })}.c2ln`);
    await page.keyboard.press("Alt+1");
    await page.locator('#output .line[data-time]').waitFor();
  }],
  ["Find the errors in a JSON file, and fix them", async (page, { paste, frame }) => {
    await paste('{\n  "name": "Ada",\n  "tags": ["x",],\n  "ok": True,\n  born: 1815\n}');
    await page.keyboard.press("Alt+1");
    await page.locator("#problem h4").waitFor();
    await frame(1800);
    await page.keyboard.press("Alt+2");
    await page.locator("#output .line").first().waitFor();
  }],
  ["Turn a curl command from Windows into OpenAPI", async (page, { paste, frame }) => {
    await paste('curl ^"https://api.example.com/login^" ^\n  -H ^"content-type: application/json^" ^\n  --data-raw ^"^{^\\^"user^\\^":^\\^"ann^\\^",^\\^"password^\\^":^\\^"hunter2^\\^"^}^"');
    await page.keyboard.press("Alt+1");
    await page.locator("#output .line").first().waitFor();
  }],
  ["Chain two tools and share the link", async (page, { paste, frame }) => {
    await paste(`${encode({ alg: "ES256" })}.${encode({ roles: ["buyer", "seller"] })}.c2ln`);
    await page.keyboard.press("Alt+2");
    await page.locator("#output .line").first().waitFor();
    await frame(1000);
    await page.locator("#share").click();
  }],
  ["Compare before and after", async (page, { paste, frame }) => {
    await paste('{\n  "b": 1.50,\n  "a": [1, 2]\n}');
    await page.keyboard.press("Alt+1");
    await page.locator("#output .line").first().waitFor();
    await frame(1000);
    await page.locator("#view-compare").click();
  }],
  ["Keyboard shortcuts", (page) => page.keyboard.press("?")],
  ["Run with the server stopped", async (page, { paste, frame }) => {
    await paste('{"where": "on the server"}');
    await page.keyboard.press("Alt+1");
    await page.locator("#output .line").first().waitFor();
    await page.locator("#in-page").check();
    await page.locator("#privacy", { hasText: "no server is needed" }).waitFor();
    await frame(2000);
    process.kill(Number(service));
    await page.locator("#input").fill('{"where": "in this page, the server is gone"}');
    await page.locator("#output-facts", { hasText: "in this page" }).waitFor();
    await page.locator("#output .line", { hasText: "gone" }).waitFor();
  }],
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const frames = []; // {png, milliseconds}
try {
  const context = await browser.newContext({ viewport, reducedMotion: "reduce", timezoneId: "UTC" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const frame = async (milliseconds) => {
    await page.waitForTimeout(350); // until the colors and the focus are final
    frames.push({ png: await page.screenshot(), milliseconds });
  };
  const paste = async (text) => {
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await page.locator("#input").focus();
    await page.keyboard.press("Control+v");
    await page.locator("#offers").waitFor();
    await frame(1800);
  };
  for (const [name, act] of scenes) {
    await page.goto("about:blank");
    await page.goto(`${base}/editor`);
    await page.waitForSelector("body.ready");
    // Shows the scene's caption in the page's heading, which is otherwise hidden.
    await page.$eval("h1", (heading, text) => {
      heading.textContent = text;
      heading.className = "";
      Object.assign(heading.style, {
        position: "fixed", bottom: "20px", left: "50%", translate: "-50% 0", zIndex: 9, padding: "8px 22px", borderRadius: "20px",
        background: "#0b6a5b", color: "#fff", fontSize: "17px", fontWeight: 600, whiteSpace: "nowrap",
      });
    }, name);
    await act(page, { paste, frame });
    await frame(2600);
  }
} finally {
  await browser.close();
}
await writeFile(to, animated(frames));
