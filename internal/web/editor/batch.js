// Runs the recipe on several files in sequence. The results stay in the page until
// the user saves them.

import { byId, bytes, count, el, say } from "./dom.js";
import { read, save } from "./files.js";
import { extension } from "./text.js";

const most = 200; // files

// Batch shows a dialog with one row per file. convert(text, type) runs the recipe
// and returns {ok, body}; it throws if there is no response.
export class Batch {
  #convert;
  #run; // the files being converted; undefined once the dialog is closed

  constructor(convert) {
    this.#convert = convert;
    byId("batch-close").addEventListener("click", () => byId("batch").close());
    byId("batch").addEventListener("close", () => {
      this.#run = undefined;
      byId("batch-list").replaceChildren();
    });
  }

  // run converts files. limit is the maximum size of a file in bytes.
  async run(files, limit) {
    const list = [...files].slice(0, most);
    this.#run = list;
    byId("batch-title").textContent = count(list.length, "file");
    byId("batch-all").hidden = true;
    const rows = list.map((file) => {
      const state = el("td", {}, "waiting");
      byId("batch-list").append(el("tr", {}, el("th", { scope: "row" }, file.name), el("td", {}, bytes(file.size)), state));
      return { file, state };
    });
    byId("batch").showModal();
    const done = [];
    for (const { file, state } of rows) {
      state.textContent = "running…";
      const result = await this.#one(file, limit, () => this.#run !== list);
      if (this.#run !== list) return;
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

  async #one(file, limit, stopped) {
    if (file.size > limit) return { fault: `larger than ${bytes(limit)}` };
    const found = await read(file);
    if (!found) return { fault: "not UTF-8 text" };
    for (;;) {
      let reply;
      try {
        reply = await this.#convert(found.text, found.mediaType);
      } catch {
        return { fault: "no response" };
      }
      if (stopped()) return { fault: "stopped" };
      if (reply.body.code === "rate_limited") {
        await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(reply.headers.get("Retry-After")) || 1)));
        continue;
      }
      if (!reply.ok) return { fault: `${reply.body.title}. ${reply.body.hint}` };
      const { mediaType, value } = reply.body.output;
      return { name: `${file.name.replace(/\.[^.]*$/, "")}.${extension(mediaType)}`, mediaType, value };
    }
  }
}
