// The output pane. It shows one artifact as text, as a tree or compared with the
// input, and explains tokens and timestamps.

import { byId, bytes, count, el } from "./dom.js";
import { compare } from "./compare-view.js";
import { outline } from "./outline.js";
import { label } from "./text.js";
import { distance, explain } from "./token.js";
import { TreeView } from "./tree-view.js";
import { Viewer } from "./viewer.js";

const views = ["text", "tree", "compare"];

export class Output {
  viewer = new Viewer(byId("output"));
  #tree = new TreeView(byId("tree"), byId("tree-bar"));
  #artifact;
  #others = []; // [{name, value}] to compare it with
  #view = "text";

  constructor() {
    for (const view of views) byId(`view-${view}`).addEventListener("click", () => this.#choose(view));
    byId("compare-with").addEventListener("change", () => this.#draw());
    byId("fold").addEventListener("click", () => {
      byId("fold").textContent = this.viewer.foldAll() > 0 ? "Unfold" : "Fold";
    });
  }

  get text() {
    return this.#artifact?.value ?? "";
  }

  get mediaType() {
    return this.#artifact?.mediaType;
  }

  clear() {
    this.#artifact = undefined;
    this.viewer.clear();
    byId("output-code").classList.add("blank");
    byId("output-title").textContent = "Output";
    byId("output-media").textContent = "";
    byId("output-facts").textContent = "No output yet";
    byId("explained").hidden = true;
    this.#enable(false);
    this.#draw();
  }

  #enable(on) {
    for (const id of ["copy", "download", "find-output", ...views.map((view) => `view-${view}`)]) byId(id).disabled = !on;
    byId("fold").disabled = !on || this.mediaType === "text/plain";
  }

  // show shows an artifact under a title. others lists what it can be compared with,
  // most likely first. ran states where and for how long it ran.
  show(artifact, title, others, ran = "") {
    this.#artifact = artifact;
    this.#others = others;
    const n = this.viewer.show(artifact.value, artifact.mediaType);
    byId("output-code").classList.remove("blank");
    byId("output-title").textContent = title;
    byId("output-media").textContent = label(artifact.mediaType);
    byId("output-facts").textContent = [count(n, "line"), bytes(new Blob([artifact.value]).size), ran].filter(Boolean).join(", ");
    byId("fold").textContent = "Fold";
    const choice = byId("compare-with");
    const before = choice.selectedOptions[0]?.textContent;
    choice.replaceChildren(...others.map(({ name }, i) => el("option", { value: String(i), selected: name === before }, name)));
    this.#enable(true);
    this.#explain();
    this.#draw();
  }

  #choose(view) {
    this.#view = view;
    this.#draw();
  }

  #draw() {
    const view = this.#artifact ? this.#view : "text";
    for (const name of views) byId(`view-${name}`).setAttribute("aria-pressed", String(name === view));
    byId("output").hidden = view !== "text";
    byId("tree-box").hidden = view !== "tree";
    byId("compare-box").hidden = view !== "compare";
    byId("fold").hidden = view !== "text";
    byId("find-output").hidden = view !== "text";
    if (view === "tree" && !this.#tree.show(this.#artifact.value, this.#artifact.mediaType)) {
      byId("tree").replaceChildren(el("p", { class: "none" }, "This output has no tree."));
    }
    if (view === "compare") {
      const other = this.#others[Number(byId("compare-with").value)] ?? this.#others[0];
      byId("compare-facts").textContent = compare(byId("compare"), other.value, this.#artifact.value);
    }
  }

  // explain shows the members and times of a token, or the local time of a
  // timestamp. It does not change the output.
  #explain() {
    const node = byId("explained");
    const { value, mediaType } = this.#artifact;
    const token = mediaType === "application/json" && value.length < 200_000 ? explain(value, Date.now()) : undefined;
    const time = mediaType === "text/plain" && value.length < 40 ? local(value.trim()) : "";
    node.hidden = !token && time === "";
    if (token) {
      const parts = outline(value, mediaType).children;
      const notes = token.members.map(({ part, name, meaning, time: when }) =>
        [parts.find((p) => p.name === part).children.find((member) => member.name === name).start, { meaning, time: when }]);
      // The parts have the same colours as in the input. Each member has a note on its line.
      this.viewer.explain(parts.map(({ name, start, end }) => [value.lastIndexOf("\n", start) + 1, end, `part-${name}`]), value.includes("\n") ? notes : []);
      const rows = token.members.map(({ name, meaning, time: when }) => el("div", {}, el("dt", {}, name), el("dd", {}, meaning, ...(when ? [": ", el("b", {}, when)] : []))));
      const open = node.querySelector("details")?.open;
      node.replaceChildren(el("p", {}, el("strong", {}, token.sentence), " Nothing was verified, neither the signature nor the issuer."),
        rows.length > 0 ? el("details", { open }, el("summary", {}, "What the fields mean"), el("dl", {}, ...rows)) : "");
    } else if (time !== "") {
      node.replaceChildren(el("p", {}, time));
    }
  }
}

// local returns the local time of a UTC timestamp in ISO 8601 format, or "" for any
// other string.
function local(text) {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)) return "";
  const date = new Date(text.replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(date.getTime())) return "";
  return `In your time zone: ${date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })}, ${distance(date.getTime() - Date.now())}.`;
}
