// Handles pasted text and dropped files. Text pasted outside a field goes into the
// input. Files can be dropped anywhere on the page.

import { byId } from "./dom.js";

// listen calls on.paste(text, field, whole) when text is pasted into the input or
// outside any field. field reports whether the input itself receives the paste.
// whole reports whether the pasted text is all that the input then contains.
// on.takes(text) inserts text pasted into the input and reports whether it did so;
// if not, the browser inserts it. on.files(list) receives dropped files.
export function listen(on) {
  const area = byId("input");
  addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (text === "" || document.querySelector("dialog[open]")) return;
    const field = event.target === area;
    if (!field && event.target.matches?.("input, textarea, select")) return;
    const whole = area.value === "" || !field || (area.selectionStart === 0 && area.selectionEnd === area.value.length);
    if (!field || on.takes(text)) event.preventDefault();
    on.paste(text, field, whole);
  });
  const over = (state) => byId("input-panel").classList.toggle("over", state);
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault(); // otherwise the browser navigates to the file
    over(true);
  });
  addEventListener("dragleave", () => over(false));
  addEventListener("drop", (event) => {
    over(false);
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    on.files([...event.dataTransfer.files]);
  });
}
