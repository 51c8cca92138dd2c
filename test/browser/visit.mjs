// A page as somebody uses it who has nothing but its clicks and keys: text comes
// by the clipboard.

import assert from "node:assert/strict";
import { base, newContext, ofShot, openAnew, shot } from "./browser.mjs";

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

class Visit {
  faults = [];

  constructor(page) {
    this.page = page;
    page.on("pageerror", (error) => ofShot(error.message) || this.faults.push(error.message));
  }

  open(recipe = "", origin = base) {
    return openAnew(this.page, recipe, origin);
  }

  // paste pastes text by its keys.
  async paste(text) {
    await this.page.evaluate((value) => navigator.clipboard.writeText(value), text);
    await this.press("Control+KeyV");
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
    for (let left = 800; left > 0; left--) {
      found = await this.page.evaluate((s) => [...document.querySelectorAll(s)].filter((n) => n.checkVisibility()).map((n) => n.innerText ?? "").join("\n"), selector);
      if (pattern.test(found)) return found;
      await wait(25);
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
