// Tests the appearance of the pages: takes screenshots for review and runs axe-core
// in both themes, at three widths, in forced colors and at 200% zoom.

import assert from "node:assert/strict";
import { animated } from "./apng.mjs";
import { server } from "./server.mjs";
import { accessible, base, browserName, chromiumOnly, open, openAnew, output, pageTest, problem, shot, type, until, wear } from "./browser.mjs";

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const year = 31_557_600;
const now = Math.floor(Date.now() / 1000);
const token = `${encode({ alg: "RS256", typ: "JWT", kid: "2026-07" })}.${encode({ iss: "https://id.example.com", sub: "ann", aud: "shop", iat: now - year, exp: now - 200_000, roles: ["buyer"] })}.c2ln`;
const curl = 'curl https://api.example.com/orders -H "Authorization: Bearer zq7token1234567890" -d \'{"password":"zq7hunter2","n":1}\'\ncurl https://api.example.com/orders/7 --retry 3\n';
const object = JSON.stringify({ name: "Ada Lovelace", born: 1815, tags: ["math", "poetry"], address: { city: "London", zip: null, ok: true } });

// states bring the editor into the states that users see.
const states = {
  empty: (page) => openAnew(page),
  async result(page) {
    await openAnew(page, "r=1&s=json_format,indent:4&s=json_to_yaml");
    await type(page, object);
    await output(page);
    await page.locator("#kept summary").click();
    await page.locator(".adder .add").click();
  },
  async "one-warning"(page) {
    await openAnew(page, "r=1&s=timestamp_to_iso");
    await type(page, "2023-11-14T23:13:20+01:00");
    await page.locator("#warnings").waitFor();
  },
  async duplicate(page) {
    await openAnew(page, "r=1&s=json_format&s=json_to_yaml");
    await type(page, '{\n  "a": 1,\n  "a": 2\n}');
    await problem(page);
  },
  "bad-link": (page) => openAnew(page, "r=7&s=json_format"),
  async offers(page) {
    await openAnew(page);
    await type(page, token);
    await page.locator("#offers").waitFor();
  },
  async problem(page) {
    await openAnew(page, "r=1&s=json_format");
    await type(page, '{\n  "name": "Ada",\n  "tags": ["x",],\n  "ok": True,\n  born: 1815\n}');
    assert.match(await problem(page), /All errors in the input/);
  },
  async token(page) {
    await openAnew(page, "r=1&s=jwt_decode");
    await type(page, token);
    await output(page);
    await page.locator("#explained summary").click();
    await page.locator('#output .line[data-meaning]', { hasText: "exp" }).focus();
  },
  async tree(page) {
    await openAnew(page, "r=1&s=json_to_yaml");
    await type(page, object);
    await output(page);
    await page.locator("#view-tree").click();
    await page.locator("#tree [role=treeitem]").nth(3).click();
  },
  async compare(page) {
    await openAnew(page, "r=1&s=json_format&s=json_to_yaml");
    await type(page, object);
    await output(page);
    await page.locator("#view-compare").click();
    await page.selectOption("#compare-with", "1");
    assert.match(await page.locator("#compare-facts").innerText(), /removed/);
  },
  async warnings(page) {
    await openAnew(page, "r=1&s=api_convert,target:openapi-3.1-yaml");
    await type(page, curl);
    await output(page);
    assert.match(await page.locator("#warnings").innerText(), /To fill in: [^]*passwords \(password\)/);
  },
  async find(page) {
    await openAnew(page, "r=1&s=json_format");
    await type(page, object);
    await output(page);
    await page.locator("#find-output").click();
    await page.keyboard.type("a");
  },
  async away(page) {
    const own = await server();
    await openAnew(page, "r=1&s=json_format", own.origin);
    await page.locator("#in-page").check();
    await page.waitForFunction(() => document.getElementById("privacy").textContent.includes("no server is needed"));
    await page.locator("#in-page").uncheck();
    await own.stop();
    await type(page, object);
    await page.locator("body:not(.stale):not(.busy) #problem", { hasText: "this page has the same engine" }).waitFor();
  },
  async "yaml-faults"(page) {
    await openAnew(page, "r=1&s=api_convert,target:curl");
    await type(page, "openapi: 3.0.3\ninfo:\n  title: Shop\n  version:1\n  description: orders: now and then\npaths:\n  /orders:\n    get:\n      tags: [a, b\n      responses: {}\n");
    assert.match(await problem(page), /All errors in the input/);
  },
  async keys(page) {
    await openAnew(page);
    await page.locator("#keys-open").click();
  },
};

const pages = { front: "/", problems: "/problems", problem: "/problems/duplicate_key", warnings: "/warnings", warning: "/warnings/secrets_replaced", missing: "/problems/nothing" };

const sized = (width) => ({ viewport: { width, height: width < 500 ? 844 : 900 }, hasTouch: width < 500 });

// Each look consists of context options and the color schemes to switch to in
// turn. Firefox can't change its color scheme while it runs, so it has fewer looks.
const both = ["light", "dark"];
const looks = browserName === "chromium"
  ? [["1440", sized(1440), both], ["1024", sized(1024), ["dark"]], ["390", sized(390), both],
    ["forced-colours", { forcedColors: "active" }], ["zoom-200", { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }]]
  : [["390", sized(390), ["light"]], ["1024", sized(1024), ["dark"]]];
const pageLooks = browserName === "chromium" ? [390, 1280, 1920].map((width) => [`${width}`, sized(width), both])
  : [["1280", sized(1280), ["light"]], ["390", sized(390), ["dark"]]];

// look checks the page and takes a screenshot in each color scheme.
async function look(page, name, schemes, fullPage) {
  for (const colorScheme of schemes) {
    const what = colorScheme ? `${name}-${colorScheme}` : name;
    if (colorScheme) await wear(page, { colorScheme });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${what} is wider than the window`);
    await accessible(page, what);
    await shot(page, what, fullPage);
  }
}

for (const [name, options, schemes = [""]] of looks) {
  pageTest(`every state of the editor, ${name}`, async (page) => {
    for (const [state, act] of Object.entries(states)) {
      await act(page);
      await look(page, `editor-${state}-${name}`, schemes, name === "390");
    }
  }, { context: { ...options, colorScheme: schemes[0] || "light" } });
}

for (const [name, options, schemes] of pageLooks) {
  pageTest(`every page, ${name}`, async (page) => {
    for (const [state, path] of Object.entries(pages)) {
      await page.goto(base + path);
      await look(page, `page-${state}-${name}`, schemes, true);
      const outside = await page.$$eval("h1, h2, p, pre, .scroll, dt, li", (nodes) => nodes.map((node) => [node.getBoundingClientRect(), node.outerHTML.slice(0, 60)])
        .filter(([{ left, right }]) => left < 12 || right > innerWidth - 8).map(([, html]) => html));
      assert.deepEqual(outside, [], `${path} touches the edge of the window`);
    }
  }, { context: { ...options, colorScheme: schemes[0] } });
}

pageTest("focus is visible on every focusable element", async (page) => {
  await open(page, "r=1&s=json_format");
  await type(page, "[1]");
  await output(page);
  const unseen = () => page.evaluate(() => {
    const node = document.activeElement;
    if (node === document.body) return "the end";
    const ring = (n) => getComputedStyle(n).outlineStyle !== "none" && parseFloat(getComputedStyle(n).outlineWidth) > 0;
    const panel = node.closest(".panel");
    const byPanel = node.matches("textarea, .view") && getComputedStyle(panel).borderTopColor === getComputedStyle(node).caretColor;
    return ring(node) || byPanel || (node.matches(".view") && getComputedStyle(panel).boxShadow.includes("1px")) ? "" : node.outerHTML.slice(0, 90);
  });
  await page.locator(".skip").focus();
  let stops = 0;
  for (;;) {
    const found = await until(unseen, /^(?:the end)?$/); // colors have a transition
    if (found === "the end") break; // focus moves on to the browser's own controls
    assert.ok(++stops < 100, "Tab never leaves the page");
    await page.keyboard.press("Tab");
  }
  assert.ok(stops > 30, `only ${stops} elements`);
});

pageTest("reduced motion is respected", async (page) => {
  await open(page);
  const duration = await page.$eval(".switch input", (node) => getComputedStyle(node).transitionDuration);
  assert.ok(parseFloat(duration) <= 0.00001, duration); // browsers write it as 1e-05s or 0.00001s
}, { context: { reducedMotion: "reduce" } });

pageTest("the animated tour contains all its frames", async (page) => {
  await page.goto("about:blank");
  const frames = [];
  for (const [colour, milliseconds] of [["red", 500], ["blue", 2600]]) {
    await page.setContent(`<body style="background: ${colour}">`);
    frames.push({ png: await page.screenshot(), milliseconds });
  }
  await open(page); // a page that can decode images
  const shown = await page.evaluate(async (bytes) => {
    const decoder = new ImageDecoder({ data: new Uint8Array(bytes), type: "image/png" });
    await decoder.tracks.ready;
    await decoder.completed;
    const all = [];
    for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
      const { image } = await decoder.decode({ frameIndex });
      const context = new OffscreenCanvas(1, 1).getContext("2d");
      context.drawImage(image, 0, 0);
      all.push([image.duration / 1000, ...context.getImageData(0, 0, 1, 1).data]);
    }
    return all;
  }, [...animated(frames)]);
  assert.deepEqual(shown, [[500, 255, 0, 0, 255], [2600, 0, 0, 255, 255]]);
}, { ...chromiumOnly("it has ImageDecoder"), context: { viewport: { width: 300, height: 200 } } });
