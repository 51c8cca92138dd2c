// Each state of the editor: a screenshot at three widths for people to look at,
// and axe-core in light, dark, forced colours and at 200 % zoom.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { animated } from "./apng.mjs";
import { server } from "./server.mjs";
import { accessible, browserName, chromiumOnly, close, open, openAnew, output, problem, shot, type, wear, withPage } from "./browser.mjs";

after(close);

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
const year = 31_557_600;
const now = Math.floor(Date.now() / 1000);
const token = `${encode({ alg: "RS256", typ: "JWT", kid: "2026-07" })}.${encode({ iss: "https://id.example.com", sub: "ann", aud: "shop", iat: now - year, exp: now - 200_000, roles: ["buyer"] })}.c2ln`;
const curl = 'curl https://api.example.com/orders -H "Authorization: Bearer zq7token1234567890" -d \'{"password":"zq7hunter2","n":1}\'\ncurl https://api.example.com/orders/7 --retry 3\n';
const object = JSON.stringify({ name: "Ada Lovelace", born: 1815, tags: ["math", "poetry"], address: { city: "London", zip: null, ok: true } });

const states = {
  async offers(page) {
    await openAnew(page);
    await type(page, token);
    await page.locator("#offers").waitFor();
  },
  async problem(page) {
    await openAnew(page, "r=1&s=json_format");
    await type(page, '{\n  "name": "Ada",\n  "tags": ["x",],\n  "ok": True,\n  born: 1815\n}');
    assert.match(await problem(page), /All that can be seen/);
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
    assert.match(await page.locator("#compare-facts").innerText(), /taken out/);
  },
  async warnings(page) {
    await openAnew(page, "r=1&s=api_convert,target:openapi-3.1-yaml");
    await type(page, curl);
    await output(page);
    assert.match(await page.locator("#warnings").innerText(), /To fill in, [^]*passwords: password/);
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
    assert.match(await problem(page), /All that can be seen/);
  },
  async keys(page) {
    await openAnew(page);
    await page.locator("#keys-open").click();
  },
};

const schemes = ["light", "dark"];
const sized = (width) => ({ viewport: { width, height: width < 500 ? 844 : 900 }, hasTouch: width < 500 });

// What the page is opened with, and the colours that it then wears in turn.
// Firefox, where each takes longer, has one of each width; it takes its own
// system's colours where they are forced.
const looks = browserName === "chromium"
  ? [["1440", sized(1440), schemes], ["1024", sized(1024), schemes], ["390", sized(390), schemes],
    ["forced-colours", { forcedColors: "active" }], ["zoom-200", { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }]]
  : [["1440", sized(1440), ["light"]], ["390", sized(390), ["light"]], ["1024", sized(1024), ["dark"]]];

for (const [name, options, colours = [""]] of looks) {
  test(`every state, ${name}`, () => withPage({ ...options, colorScheme: colours[0] || "light" }, async (page) => {
    for (const [state, act] of Object.entries(states)) {
      await act(page);
      for (const colorScheme of colours) {
        const look = colorScheme ? `${name}-${colorScheme}` : name;
        if (colorScheme) await wear(page, { colorScheme });
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${state}, ${look}, is wider than the window`);
        await accessible(page, `${state}, ${look}`);
        await shot(page, `state-${state}-${look}`, name === "390");
      }
    }
  }));
}

test("the film of the tour is a picture of all its frames", chromiumOnly("it has ImageDecoder for all frames"), () => withPage({ viewport: { width: 300, height: 200 } }, async (page) => {
  await page.goto("about:blank");
  const frames = [];
  for (const [colour, milliseconds] of [["red", 500], ["blue", 2600]]) {
    await page.setContent(`<body style="background: ${colour}">`);
    frames.push({ png: await page.screenshot(), milliseconds });
  }
  await open(page); // where images can be decoded
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
}));
