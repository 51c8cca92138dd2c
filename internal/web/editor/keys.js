// Keyboard shortcuts, and the list of them that "?" shows.

import { byId, el } from "./dom.js";

const mac = /Mac|iP/.test(navigator.platform);
const control = mac ? "⌘" : "Ctrl";

// Keys maps shortcuts to actions: {run, copy, undo, redo, wrap, input, output,
// find}.
export class Keys {
  constructor(actions) {
    const list = [
      [`${control} ↵`, "Run", (e) => e.key === "Enter" && ctrl(e), actions.run],
      ["Alt 1 … 9", "Take a suggestion, or apply a fix"],
      ["↵", "Keep the preview, right after pasting"],
      ["Alt C", "Copy the output", (e) => alt(e) && e.code === "KeyC", actions.copy],
      ["Alt I", "Go to the input", (e) => alt(e) && e.code === "KeyI", actions.input],
      ["Alt O", "Go to the output", (e) => alt(e) && e.code === "KeyO", actions.output],
      [`${control} F`, "Find in the input or the output", (e) => ctrl(e) && e.code === "KeyF", actions.find],
      ["Alt Z", "Turn line wrapping on or off", (e) => alt(e) && e.code === "KeyZ", actions.wrap],
      [`${control} Z`, "Undo in the recipe", (e) => ctrl(e) && e.code === "KeyZ" && !e.shiftKey && !typing(e), actions.undo],
      [`${control} Shift Z`, "Redo in the recipe", (e) => ctrl(e) && e.code === "KeyZ" && e.shiftKey && !typing(e), actions.redo],
      ["Alt ↑ ↓", "Move a step"],
      ["Esc", "Close the search, or leave full screen"],
      ["?", "Show this list", (e) => e.key === "?" && !typing(e), () => byId("keys").showModal()],
    ];
    byId("keys-list").replaceChildren(...list.map(([key, text]) => el("div", {}, el("dt", {}, ...key.split(" ").map((k) => el("kbd", {}, k))), el("dd", {}, text))));
    byId("keys-open").addEventListener("click", () => byId("keys").showModal());
    byId("keys-close").addEventListener("click", () => byId("keys").close());
    addEventListener("keydown", (event) => {
      const found = list.find(([, , is, act]) => act && is(event));
      // An action that returns false leaves the key to the browser.
      if (found && found[3](event) !== false) event.preventDefault();
    });
  }
}

const ctrl = (event) => (event.ctrlKey || event.metaKey) && !event.altKey;
const alt = (event) => event.altKey && !event.ctrlKey && !event.metaKey;
const typing = (event) => event.target.matches?.("textarea, input:not([type=range], [type=checkbox], [type=radio])");
