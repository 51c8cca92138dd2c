// Several files at once: each is sent through the recipe in turn, and its
// result is kept in the page until it is saved.

import { byId, bytes, count, el, say } from "./dom.js";
import { read, save } from "./files.js";
import { extension } from "./text.js";

const most = 200; // files

// Batch shows a dialog with a row for each file. convert(text, type) gives the
// answer of the recipe, {ok, answer}; it throws when there is none.
export class Batch {
  #convert;
  #stopped = false;

  constructor(convert) {
    this.#convert = convert;
    byId("batch-close").addEventListener("click", () => byId("batch").close());
    byId("batch").addEventListener("close", () => {
      this.#stopped = true;
      byId("batch-list").replaceChildren();
    });
  }

  // run converts files; limit is how large one may be, in bytes.
  async run(files, limit) {
    const list = [...files].slice(0, most);
    this.#stopped = false;
    byId("batch-title").textContent = count(list.length, "file");
    byId("batch-all").hidden = true;
    const rows = list.map((file) => {
      const state = el("td", {}, "waits");
      byId("batch-list").append(el("tr", {}, el("th", { scope: "row" }, file.name), el("td", {}, bytes(file.size)), state));
      return { file, state };
    });
    byId("batch").showModal();
    const done = [];
    for (const { file, state } of rows) {
      if (this.#stopped) return;
      state.textContent = "runs…";
      const result = await this.#one(file, limit);
      if (result.fault) {
        state.replaceChildren(el("span", { class: "failed" }, result.fault));
        continue;
      }
      done.push(result);
      state.replaceChildren(el("button", { type: "button", class: "quiet", onclick: () => save(result.name, result.mediaType, result.value) }, `Save ${result.name}`));
    }
    byId("batch-all").hidden = done.length < 2;
    byId("batch-all").onclick = () => done.forEach(({ name, mediaType, value }) => save(name, mediaType, value));
    say(`${done.length} of ${count(list.length, "file")} converted.`);
  }

  async #one(file, limit) {
    if (file.size > limit) return { fault: `larger than ${bytes(limit)}` };
    const found = await read(file);
    if (!found) return { fault: "no text in UTF-8" };
    for (;;) {
      let reply;
      try {
        reply = await this.#convert(found.text, found.mediaType);
      } catch {
        return { fault: "no answer" };
      }
      if (this.#stopped) return { fault: "stopped" };
      if (reply.answer.code === "rate_limited") {
        await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(reply.headers.get("Retry-After")) || 1)));
        continue;
      }
      if (!reply.ok) return { fault: `${reply.answer.title}. ${reply.answer.hint}` };
      const { mediaType, value } = reply.answer.output;
      return { name: `${file.name.replace(/\.[^.]*$/, "")}.${extension(mediaType)}`, mediaType, value };
    }
  }
}
