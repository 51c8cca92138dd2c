// A page as somebody uses it who has nothing but its clicks and keys: text comes
// by the clipboard.

import assert from "node:assert/strict";
import { base, newContext, ofShot, shot } from "./browser.mjs";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

class Visit {
  faults = [];

  constructor(page) {
    this.page = page;
    page.on("pageerror", (error) => ofShot(error.message) || this.faults.push(error.message));
  }

  async open(recipe = "", origin = base) {
    await this.page.goto("about:blank");
    await this.page.goto(`${origin}/editor${recipe && `#${recipe}`}`);
    await this.page.waitForSelector("body.ready");
  }

  // paste copies text in another page, by its keys, and pastes it here.
  async paste(text) {
    const other = await this.page.context().newPage();
    await other.goto("data:text/html,<textarea autofocus></textarea>");
    await other.evaluate((value) => {
      const area = document.querySelector("textarea");
      area.value = value;
      area.focus();
      area.select();
    }, text);
    await other.keyboard.press("Control+KeyC");
    await other.close();
    await this.page.bringToFront();
    await this.press("Control+KeyV");
    await wait(50);
  }

  // press presses keys together: "Alt+Digit1".
  press(keys) {
    return this.page.keyboard.press(keys);
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
    for (let left = 200; left > 0; left--) {
      found = await this.page.evaluate((s) => [...document.querySelectorAll(s)].filter((n) => n.checkVisibility()).map((n) => n.innerText ?? "").join("\n"), selector);
      if (pattern.test(found)) return found;
      await wait(100);
    }
    throw new Error(`${selector} holds ${JSON.stringify(found.slice(0, 400))}, not ${pattern}`);
  }

  shot(name) {
    return shot(this.page, name);
  }
}

// visit runs act with a page in a fresh profile.
export async function visit(act) {
  const context = await newContext();
  try {
    const page = new Visit(await context.newPage());
    await act(page);
    assert.deepEqual(page.faults, []);
  } finally {
    await context.close();
  }
}
