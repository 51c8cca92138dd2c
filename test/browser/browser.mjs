// Drives Chromium or, with CONVERTD_BROWSER=firefox, Firefox over WebDriver BiDi.
// Each test has its own page, which records every request, every violation of the
// Content-Security-Policy and every script error. When the page closes, no URL
// and no storage may contain the input.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";
import { chromium, firefox } from "playwright-core";
import { servers } from "./server.mjs";

export const base = process.env.CONVERTD_URL; // without a rate limit
export const limited = process.env.CONVERTD_LIMITED_URL; // ten requests per minute
export const below = (process.env.CONVERTD_BELOW ?? "").split(" ").filter(Boolean); // base URLs with a path, served through proxies
export const out = process.env.CONVERTD_OUT;

// secret is part of many inputs. It must not appear in URLs or in storage.
export const secret = "zq7secret";

const axe = await readFile(new URL("node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

export const browserName = process.env.CONVERTD_BROWSER ?? "chromium";

// chromiumOnly returns the options of a test that Firefox cannot run.
export const chromiumOnly = (reason) => ({ skip: browserName === "chromium" ? false : `Chromium only: ${reason}` });

const browsers = new Map(); // keyed by settings

const settings = { // Firefox preferences
  "dom.events.testing.asyncClipboard": true, // no prompt for clipboard access
  "network.proxy.type": 0,
};
const emulated = { // Firefox preferences for what Chromium emulates
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

// newContext returns a new browser profile with access to the clipboard.
export async function newContext(options = {}) {
  const viewport = { width: 1440, height: 900 };
  if (browserName === "chromium") {
    if (!browsers.has("")) browsers.set("", start({}));
    const context = await (await browsers.get("")).newContext({ viewport, ...options });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    return context;
  }
  // Firefox can't change its appearance while it runs.
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

after(close);

// ofShot reports whether a violation is caused by the style "body {}", which the
// driver injects before it takes a screenshot in Firefox.
export const ofShot = (text) => browserName === "firefox" && text.includes("sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT+SmwNZWA=");

// guard is the timeout for any wait. It ends a hang; it is not a performance
// target.
const guard = 120_000; // milliseconds

// until calls get until the result equals want, or matches it if want is a regular
// expression, and returns the result.
export async function until(get, want) {
  const matches = (got) => (want instanceof RegExp ? want.test(got) : got === want);
  let got = await get();
  for (let left = guard / 50; left > 0 && !matches(got); left--) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    got = await get();
  }
  assert.ok(matches(got), `${JSON.stringify(got)} is not ${want}`);
  return got;
}

// pageTest defines a test with its own page. context holds options for newContext.
// All other options are passed to test.
export const pageTest = (name, act, { context = {}, ...options } = {}) => test(name, options, () => withPage(context, act));

// withPage runs act in a new profile and then checks the rules for every session:
// no other host, no violation, no script error, no trace of the input.
export async function withPage(options, act) {
  const context = await newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(guard);
  const seen = { requests: [], faults: [] };
  const origins = [base, limited, ...below].map((url) => new URL(url).origin);
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
    url: location.href,
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
  assert.ok(!seen.requests.some((url) => decodeURIComponent(url).includes(secret)), "the input is in a URL that the page requested");
  assert.deepEqual(JSON.parse(found).databases, []);
  assert.deepEqual(JSON.parse(found).caches, []);
  assert.deepEqual(await page.evaluate(() => globalThis.breaches), [], "the Content-Security-Policy was breached");
}

// open opens the editor with a recipe. On a page that is already open, it only
// changes the fragment.
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

// currentURL returns the page's URL. page.url() lags behind history.replaceState.
export const currentURL = (page) => page.evaluate(() => location.href);

// settled waits until all transitions have ended.
export const settled = (page) => page.evaluate(() => Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime < Infinity).map(({ finished }) => finished)));

// wear applies the appearance in newContext's options to a page without a reload.
// Firefox keeps the appearance that it started with.
export async function wear(page, { colorScheme = "light", forcedColors = "none" }) {
  if (browserName !== "firefox") await page.emulateMedia({ colorScheme, forcedColors });
  await settled(page);
}

// type fills the input with text.
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

// violations runs axe-core and returns its findings as {rule, target, text}. scope
// is a CSS selector. The debugger injects the script, so the page's
// Content-Security-Policy doesn't apply to it. Only violations are reported,
// because describing the rules that passed takes Firefox ten times as long.
export async function violations(page, scope = "html") {
  await settled(page);
  if (!await page.evaluate(() => "axe" in globalThis)) await page.evaluate(`${axe};0`);
  return page.evaluate(async (selector) => (await globalThis.axe.run(selector, { resultTypes: ["violations"] })).violations.flatMap((v) => v.nodes.map((n) => ({
    rule: v.id, target: n.target.join(" "), text: `${n.html.slice(0, 120)} ${n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? ""}`,
  }))), scope);
}

// accessible fails if axe-core finds a violation.
export async function accessible(page, label, scope) {
  assert.deepEqual(await violations(page, scope), [], label);
}

export async function shot(page, name, fullPage = false) {
  const before = await page.evaluate(() => globalThis.breaches?.length);
  await page.screenshot({ path: `${out}/${browserName === "chromium" ? "" : `${browserName}-`}${name}.png`, fullPage, caret: browserName === "chromium" ? "hide" : "initial" });
  if (browserName === "firefox") await page.evaluate((n) => globalThis.breaches?.splice(n), before);
}

// saved calls act and returns the file that the browser saves as {name, text}.
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

// noteSaved records the files that a page saves, because Firefox's download events
// lack the content.
function noteSaved() {
  if (globalThis.saved) return;
  globalThis.saved = [];
  const blobs = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const url = create.call(URL, blob);
    blobs.set(url, blob);
    return url;
  };
  addEventListener("click", (event) => event.target.download && globalThis.saved.push({ name: event.target.download, blob: blobs.get(event.target.href) }), true);
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () {
    if (this.download && !this.isConnected) globalThis.saved.push({ name: this.download, blob: blobs.get(this.href) });
    click.call(this);
  };
}
