// Pastes and drops. A paste outside of a field goes into the input; files may be
// dropped anywhere.

import { byId } from "./dom.js";

// listen calls on.paste(text, field, whole) for text that is pasted into the
// input or past every field: field says whether the input itself takes it,
// whole whether it is all that the input then holds; on.takes(text) reports
// whether a text pasted into the input was put there already; and on.files(list).
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
    event.preventDefault(); // otherwise the browser would leave the page to open them
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
