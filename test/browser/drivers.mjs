// One small way to drive a page in Chromium and in Firefox, by real clicks and
// keys: Playwright drives the one, Puppeteer, over WebDriver BiDi, the other.

import puppeteer from "puppeteer-core";
import { base, launch } from "./browser.mjs";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function chord(page, keys) {
  const all = keys.split("+");
  for (const key of all.slice(0, -1)) await page.keyboard.down(key);
  await page.keyboard.press(all.at(-1));
  for (const key of all.slice(0, -1).reverse()) await page.keyboard.up(key);
}

// Page is what the tasks use of a browser's page.
class Page {
  faults = [];

  // another opens one more page beside it.
  constructor(page, another) {
    this.page = page;
    this.another = another;
    page.on("pageerror", (error) => this.faults.push(error.message));
  }

  async open(recipe = "") {
    await this.page.goto("about:blank");
    await this.page.goto(`${base}/editor${recipe && `#${recipe}`}`);
    await this.page.waitForSelector("body.ready");
  }

  // paste copies text in another page, by its keys, and pastes it here.
  async paste(text) {
    const other = await this.another();
    await other.goto("data:text/html,<textarea autofocus></textarea>");
    await other.evaluate((value) => {
      const area = document.querySelector("textarea");
      area.value = value;
      area.focus();
      area.select();
    }, text);
    await chord(other, "Control+KeyC");
    await other.close();
    await this.page.bringToFront();
    await this.press("Control+KeyV");
    await wait(50);
  }

  // press presses keys together: "Alt+Digit1".
  press(keys) {
    return chord(this.page, keys);
  }

  click(selector) {
    return this.page.click(selector);
  }

  eval(act, ...given) {
    return this.page.evaluate(act, ...given);
  }

  // text waits until an element's text matches, and gives it.
  async text(selector, pattern) {
    let found = "";
    for (let left = 100; left > 0; left--) {
      found = await this.page.evaluate((s) => [...document.querySelectorAll(s)].filter((n) => n.checkVisibility()).map((n) => n.innerText ?? "").join("\n"), selector);
      if (pattern.test(found)) return found;
      await wait(100);
    }
    throw new Error(`${selector} holds ${JSON.stringify(found.slice(0, 400))}, not ${pattern}`);
  }

  shot(path) {
    return this.page.screenshot({ path });
  }
}

let firefox;

export const drivers = {
  async chromium(act) {
    const context = await (await launch()).newContext({ viewport: { width: 1440, height: 900 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    try {
      await act(new Page(await context.newPage(), () => context.newPage()));
    } finally {
      await context.close();
    }
  },
  async firefox(act) {
    firefox ??= await puppeteer.launch({ browser: "firefox", executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", headless: true });
    const context = await firefox.createBrowserContext();
    const page = await context.newPage();
    await page.setViewport({ width: 1440, height: 900 });
    try {
      await act(new Page(page, () => context.newPage()));
    } finally {
      await context.close();
    }
  },
};

export const closeFirefox = () => firefox?.close();
