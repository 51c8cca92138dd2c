// The notice above the panes.

import { byId, el } from "./dom.js";

// notice shows a title and a message. An empty title hides the notice.
export function notice(title, text = "") {
  const node = byId("notice");
  node.hidden = title === "";
  node.replaceChildren(...(title === "" ? [] : [el("strong", {}, title), ` ${text}`]));
}
