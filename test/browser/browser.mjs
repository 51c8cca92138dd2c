// The browser for the tests, Chromium or, with CONVERTD_BROWSER=firefox, Firefox
// over WebDriver BiDi, and a page that watches itself: every request, every
// breach of the Content-Security-Policy, every script error is noted, and what
// must never be found anywhere is looked for when the page closes.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { chromium, firefox } from "playwright-core";
import { servers } from "./server.mjs";

export const base = process.env.CONVERTD_URL; // without a quota
export const limited = process.env.CONVERTD_LIMITED_URL; // ten calls a minute
export const below = process.env.CONVERTD_BELOW.split(" "); // base URLs with a path, behind proxies
export const out = process.env.CONVERTD_OUT;

// secret stands in every input; it must stay out of addresses and storage.
export const secret = "zq7secret";

const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

export const browserName = process.env.CONVERTD_BROWSER ?? "chromium";

// chromiumOnly has a test name its reason where Firefox cannot run it; given as
// options of a test.
export const chromiumOnly = (reason) => ({ skip: browserName === "chromium" ? false : `Chromium only: ${reason}` });

const browsers = new Map(); // by what they were started with

const settings = { // of Firefox, for what Chromium emulates
  "dom.events.testing.asyncClipboard": true, // the clipboard without a question
  "network.proxy.type": 0,
};
const emulated = {
  colorScheme: { dark: { "ui.systemUsesDarkTheme": 1 }, light: { "ui.systemUsesDarkTheme": 0 } },
  reducedMotion: { reduce: { "ui.prefersReducedMotion": 1 } },
  forcedColors: { active: { "browser.display.document_color_use": 2, "ui.useAccessibilityTheme": 1 } },
};

function start(options) {
  if (browserName === "chromium") {
    return chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"],
    });
  }
  const own = Object.entries(emulated).map(([name, values]) => values[options[name]]);
  return firefox.launch({
    channel: "moz-firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
    firefoxUserPrefs: Object.assign({}, settings, ...own),
  });
}

// context is a fresh profile of the browser, which may use the clipboard.
export async function newContext(options = {}) {
  const viewport = { width: 1440, height: 900 };
  if (browserName === "chromium") {
    if (!browsers.has("")) browsers.set("", start({}));
    const context = await (await browsers.get("")).newContext({ viewport, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    return context;
  }
  // What it cannot emulate in a page is a setting of the browser; one at a time
  // is running.
  const { colorScheme = "light", reducedMotion, forcedColors, hasTouch, ...rest } = options;
  const key = JSON.stringify([colorScheme, reducedMotion, forcedColors]);
  if (!browsers.has(key)) {
    await close();
    browsers.set(key, start({ colorScheme, reducedMotion, forcedColors }));
  }
  return (await browsers.get(key)).newContext({ viewport, ...rest, colorScheme: null, reducedMotion: null, forcedColors: null, contrast: null });
}

export async function close() {
  const all = [...browsers.values()];
  browsers.clear();
  for (const browser of all) await (await browser).close();
}

// ofShot reports whether a breach of the policy is that of the style, "body {}",
// by which the driver waits for Firefox before a picture.
export const ofShot = (text) => browserName === "firefox" && text.includes("sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=");

// withPage runs act in a fresh profile and then checks what must hold of every
// session: no foreign host, no breach, no script error, no trace of the input.
export async function withPage(options, act) {
  const context = await newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const seen = { requests: [], faults: [] };
  const origins = [base, limited, ...below].map((address) => new URL(address).origin);
  context.on("request", (request) => {
    seen.requests.push(request.url());
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "blob:" && protocol !== "data:" && !origins.includes(origin) && !servers.has(origin)) seen.faults.push(`a request to ${origin}`);
  });
  page.on("pageerror", (error) => ofShot(error.message) || seen.faults.push(`a script error: ${error.message}`));
  page.on("console", (message) => {
    if (!ofShot(message.text()) && /Content.Security.Policy|TrustedHTML|TrustedScript|violat/i.test(message.text())) seen.faults.push(message.text());
  });
  page.on("dialog", (dialog) => {
    seen.faults.push("a dialog");
    dialog.dismiss();
  });
  await page.addInitScript(() => {
    globalThis.breaches = [];
    addEventListener("securitypolicyviolation", (event) => globalThis.breaches.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  try {
    await act(page, seen);
    await checkTraces(page, seen);
    assert.deepEqual(seen.faults, []);
  } finally {
    await context.close();
  }
}

async function checkTraces(page, seen) {
  const found = await page.evaluate(async () => JSON.stringify({
    address: location.href,
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
    title: document.title,
    state: history.state,
    resources: performance.getEntries().map((entry) => entry.name),
  }));
  assert.ok(!found.includes(secret), `the input left a trace: ${found}`);
  assert.ok(!seen.requests.some((address) => decodeURIComponent(address).includes(secret)), "the input stands in a request's address");
  assert.deepEqual(JSON.parse(found).databases, []);
  assert.deepEqual(JSON.parse(found).caches, []);
  assert.deepEqual(await page.evaluate(() => globalThis.breaches), [], "the Content-Security-Policy was breached");
}

// open opens the editor with a recipe; where the page has it open already, only
// its address changes.
export async function open(page, recipe = "", origin = base) {
  await page.goto(`${origin}/editor${recipe && `#${recipe}`}`);
  await page.waitForSelector("body.ready");
}

let opened = 0;

// openAnew opens the editor in a new document.
export async function openAnew(page, recipe = "", origin = base) {
  await page.goto(`${origin}/editor?${++opened}${recipe && `#${recipe}`}`);
  await page.waitForSelector("body.ready");
}

// settled waits until colours and places that change slowly have done so.
const settled = (page) => page.evaluate(() => Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished)));

// wear has a page look as the options of newContext say, without loading it
// anew; Firefox has its looks from the start.
export async function wear(page, { colorScheme = "light", forcedColors = "none" }) {
  if (browserName !== "firefox") await page.emulateMedia({ colorScheme, forcedColors });
  await settled(page);
}

// serveModules lets a page import the editor's modules, from which its script
// is made, at /modules/.
export const serveModules = (page) => page.route("**/modules/*.js", async (route) => {
  const name = new URL(route.request().url()).pathname.split("/").pop();
  await route.fulfill({ contentType: "text/javascript", body: await readFile(new URL(`../../internal/web/editor/${name}`, import.meta.url), "utf8") });
});

// type puts text into the input.
export const type = (page, text) => page.fill("#input", text);

// output waits for a result and returns its text.
export async function output(page) {
  await page.waitForSelector("body:not(.stale):not(.busy) #output .block", { state: "attached" });
  return page.$$eval("#output .text", (nodes) => nodes.map((node) => node.textContent).join(""));
}

// problem waits for a problem and returns its text.
export async function problem(page) {
  const card = page.locator("#problem");
  await card.waitFor();
  return card.innerText();
}

export const api = async (path, body, origin = base) => {
  const response = await fetch(origin + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return response.json();
};

// violations runs axe-core and returns what it finds, {rule, target, text};
// scope is a selector. Scripts reach the page by the debugger, which the page's
// policy does not bind. What axe-core passes is not described: in Firefox that
// takes ten times as long as finding it.
export async function violations(page, scope = "html") {
  await settled(page);
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(`${axe};0`);
  return page.evaluate(async (selector) => (await globalThis.axe.run(selector, { resultTypes: ["violations"] })).violations.flatMap((v) => v.nodes.map((n) => ({
    rule: v.id, target: n.target.join(" "), text: `${n.html.slice(0, 120)} ${n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ""}`,
  }))), scope);
}

// accessible expects axe-core to find nothing.
export async function accessible(page, label, scope) {
  assert.deepEqual(await violations(page, scope), [], label);
}

export async function shot(page, name, fullPage = false) {
  const before = await page.evaluate(() => globalThis.breaches?.length);
  await page.screenshot({ path: `${out}/${browserName === "chromium" ? "" : `${browserName}-`}${name}.png`, fullPage, caret: browserName === "chromium" ? "hide" : "initial" });
  if (browserName === "firefox") await page.evaluate((n) => globalThis.breaches?.splice(n), before);
}

// saved does what has the browser save a file, and returns {name, text}.
export async function saved(page, act) {
  if (browserName === "chromium") {
    const [download] = await Promise.all([page.waitForEvent("download"), act()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
  }
  await page.evaluate(noteSaved);
  await act();
  await page.waitForFunction(() => globalThis.saved.length > 0);
  return page.evaluate(async () => {
    const { name, blob } = globalThis.saved.shift();
    return { name, text: await blob.text() };
  });
}

// noteSaved keeps what a page has the browser save: Firefox tells the driver of a
// download, but not enough for it.
function noteSaved() {
  if (globalThis.saved) return;
  globalThis.saved = [];
  const blobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const address = create.call(URL, blob);
    blobs.set(address, blob);
    return address;
  };
  addEventListener("click", (event) => event.target.download && globalThis.saved.push({ name: event.target.download, blob: blobs.get(event.target.href) }), true);
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    if (this.download && !this.isConnected) globalThis.saved.push({ name: this.download, blob: blobs.get(this.href) });
    click.call(this);
  };
}
