// The editor. The state is the recipe, the input and the last answer; the
// address always holds the recipe and nothing else.

import { problemCard, warningList } from "./answers.js";
import { byId, bytes, confirmOn, copy, count, el, say } from "./dom.js";
import { load } from "./description.js";
import { Field } from "./field.js";
import { Place } from "./place.js";
import { complete, fault, format, parse, RecipeError } from "./recipe.js";
import { request, results, Runner, stepId } from "./runner.js";
import { Shelf } from "./shelf-view.js";
import { Pipe } from "./steps.js";
import { extension, guess, label, lines, place } from "./text.js";
import { Use } from "./use.js";
import { Viewer } from "./viewer.js";

class Editor {
  #description;
  #field = new Field(byId("input-code"), () => this.#inputChanged());
  #viewer = new Viewer(byId("output"));
  #pipe;
  #runner;
  #place;
  #use;
  #shelf;
  #artifacts; // of all steps, of the last answer
  #chosenType; // of the input, when the person chose it
  #fileName;
  #looking = new AbortController(); // of a call that shows what a step was given

  constructor(description) {
    this.#description = description;
    this.#pipe = new Pipe(byId("pipe"), description.tools, description.pipeline.steps, {
      change: () => this.#recipeChanged(),
      open: (i) => this.#open(i),
    });
    this.#place = new Place(() => {
      this.#runner.free();
      this.#plan();
    });
    this.#runner = new Runner(() => this.#call(), {
      start: () => this.#busy(true),
      done: (answer) => this.#done(answer),
      problem: (problem) => this.#failed(problem),
      quota: (quota) => this.#showQuota(quota),
      wait: (seconds, hard) => this.#wait(seconds, hard),
    }, this.#place.send);
    this.#use = new Use();
    this.#shelf = new Shelf(() => format(this.#pipe.steps), (recipe) => {
      location.hash = recipe;
    });
    this.#listen();
    this.#readAddress();
  }

  #listen() {
    addEventListener("hashchange", () => this.#readAddress());
    addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.#runner.now();
    });
    byId("run").addEventListener("click", () => this.#runner.now());
    byId("live").addEventListener("change", (event) => (event.target.checked ? this.#runner.soon() : this.#runner.cancel()));
    byId("share").addEventListener("click", (event) => copy(event.target, location.href));
    byId("copy").addEventListener("click", (event) => copy(event.target, this.#viewer.text));
    byId("download").addEventListener("click", (event) => this.#download(event.target));
    byId("clear").addEventListener("click", () => this.#setInput(""));
    byId("example").addEventListener("click", () => this.#useExample());
    byId("open-file").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", (event) => {
      this.#openFile(event.target.files[0]);
      event.target.value = "";
    });
    this.#listenToDrops();
  }

  // A file may be dropped anywhere; otherwise the browser would leave the page
  // to open it.
  #listenToDrops() {
    const over = (on) => byId("input-panel").classList.toggle("over", on);
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      over(true);
    });
    addEventListener("dragleave", () => over(false));
    addEventListener("drop", (event) => {
      over(false);
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      this.#openFile(event.dataTransfer.files[0]);
    });
  }

  // readAddress opens the recipe of the address. One that cannot be read is
  // refused whole: nothing of it is shown, nothing runs.
  #readAddress() {
    const text = location.hash.slice(1);
    if (text !== "" && text === format(this.#pipe.steps)) return;
    let steps = [];
    this.#notice("");
    try {
      if (text !== "") steps = parse(this.#description.tools, text);
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error;
      this.#notice("This link cannot be opened.", `${error.message} Nothing was run. Build the recipe below, or ask for a new link.`);
    }
    this.#runner.cancel();
    this.#pipe.steps = steps;
    this.#recipeChanged();
  }

  #notice(title, text = "") {
    const node = byId("notice");
    node.hidden = title === "";
    node.replaceChildren(...(title === "" ? [] : [el("strong", {}, title), ` ${text}`]));
  }

  #recipeChanged() {
    const { steps } = this.#pipe;
    const broken = fault(steps);
    const whole = steps.length > 0 && !broken?.lacking;
    if (steps.length > 0) {
      this.#notice("");
      // A recipe that lacks a required option has no link yet.
      const address = whole ? `#${format(steps)}` : location.pathname;
      if (!whole || location.hash !== address) history.replaceState(null, "", address);
    } else if (byId("notice").hidden && location.hash !== "") {
      history.replaceState(null, "", location.pathname);
    }
    byId("share").disabled = !whole;
    this.#shelf.offer(whole);
    this.#chooseType();
    this.#showUse();
    byId("example").hidden = false;
    this.#plan();
  }

  #inputChanged() {
    this.#fileName = undefined;
    this.#chooseType();
    this.#showUse();
    this.#plan();
  }

  #showUse() {
    const { steps } = this.#pipe;
    this.#use.show(this.#description, fault(steps) ? [] : steps, this.#inputType());
  }

  // plan forgets the last answer and runs the recipe soon, if it can run.
  #plan() {
    this.#looking.abort();
    this.#looking = new AbortController();
    const text = this.#field.value;
    byId("clear").disabled = text === "";
    byId("input-facts").textContent = text === "" ? "Empty" : `${count(lines(text), "line")}, ${bytes(new Blob([text]).size)}`;
    const ready = this.#ready();
    byId("run").disabled = !ready;
    if (!ready) {
      this.#runner.cancel();
      this.#busy(false);
      this.#forget();
      return;
    }
    document.body.classList.add("stale");
    if (byId("live").checked) this.#runner.soon();
    else this.#runner.cancel();
  }

  #ready() {
    const { steps } = this.#pipe;
    return steps.length > 0 && this.#field.value !== "" && !fault(steps);
  }

  #forget() {
    this.#artifacts = undefined;
    this.#viewer.clear();
    byId("output-code").classList.add("blank");
    byId("output-title").textContent = "Output";
    byId("output-media").textContent = "";
    byId("output-facts").textContent = "Nothing yet";
    byId("problem").hidden = true;
    byId("warnings").hidden = true;
    byId("copy").disabled = true;
    byId("download").disabled = true;
    document.body.classList.remove("stale");
  }

  // inputType is the media type that the input is sent as.
  #inputType() {
    const accepted = this.#pipe.steps[0]?.tool.accepts ?? [];
    if (accepted.includes(this.#chosenType)) return this.#chosenType;
    return accepted.length > 1 ? guess(this.#field.value, accepted) : accepted[0];
  }

  // chooseType shows the input's media type, as a choice where there is one.
  #chooseType() {
    const accepted = this.#pipe.steps[0]?.tool.accepts ?? [];
    const type = this.#inputType();
    const node = byId("input-media");
    this.#field.mediaType = type;
    if (accepted.length < 2) {
      node.replaceChildren(type ? label(type) : "");
      return;
    }
    let control = node.querySelector("select");
    if (!control || control.options.length !== accepted.length) {
      control = el("select", { "aria-label": "The input is" }, ...accepted.map((t) => el("option", { value: t }, label(t))));
      control.addEventListener("change", () => {
        this.#chosenType = control.value;
        this.#recipeChanged();
      });
      node.replaceChildren(control);
    }
    control.value = type;
  }

  #call() {
    if (!this.#ready()) return undefined;
    return request(this.#description, this.#pipe.steps, { mediaType: this.#inputType(), value: this.#field.value });
  }

  #busy(on) {
    document.body.classList.toggle("busy", on);
    document.body.classList.toggle("stale", on);
  }

  #done(answer) {
    this.#busy(false);
    const { steps } = this.#pipe;
    this.#artifacts = results(answer, steps);
    byId("problem").hidden = true;
    this.#field.fault = undefined;
    this.#pipe.mark(-1, "");
    warningList(byId("warnings"), answer.warnings, steps.length > 1 ? steps.map((_, i) => stepId(i)) : []);
    this.#open(steps.length - 1);
    const warned = answer.warnings.length > 0 ? `, ${count(answer.warnings.length, "warning")}` : "";
    say(`Result: ${byId("output-facts").textContent} of ${label(answer.output.mediaType)}${warned}.`);
  }

  // open shows the result of step i.
  #open(i) {
    const artifact = this.#artifacts?.[i];
    if (!artifact) return;
    const last = i === this.#artifacts.length - 1;
    byId("output-title").textContent = last ? "Output" : `Result of step ${i + 1}`;
    this.#show(artifact);
    this.#pipe.results(this.#artifacts, i);
    if (!last) say(`Result of step ${i + 1} shown.`);
  }

  #show({ mediaType, value }) {
    const n = this.#viewer.show(value, mediaType);
    byId("output-code").classList.toggle("blank", false);
    byId("output-media").textContent = label(mediaType);
    byId("output-media").dataset.type = mediaType;
    byId("output-facts").textContent = `${count(n, "line")}, ${bytes(new Blob([value]).size)}${this.#place.said}`;
    byId("copy").disabled = false;
    byId("download").disabled = false;
  }

  // failed shows a problem, marks its step and offers the way to its place.
  #failed(problem) {
    this.#busy(false);
    this.#forget();
    const { steps } = this.#pipe;
    this.#pipe.results(undefined);
    const single = steps.length === 1 && [415, 422].includes(problem.status) ? 0 : -1;
    const step = problem.step ? steps.findIndex((_, i) => stepId(i) === problem.step) : single;
    const option = /\/options\/([^/]+)$/.exec(problem.path ?? "");
    this.#pipe.mark(step, `${problem.title}.`, option?.[1]);
    const at = place(problem.detail);
    this.#field.fault = step <= 0 ? at : undefined;
    const actions = [];
    if (at && step <= 0) actions.push([`Go to line ${at.line}, column ${at.column}`, () => this.#field.goTo(at)]);
    else if (step > 0) actions.push([`Show what step ${step + 1} was given`, () => this.#showGiven(step, at)]);
    problemCard(byId("problem"), problem, actions);
    byId("output-code").classList.add("blank");
    say(`${problem.title}. ${problem.detail} ${problem.hint}`);
  }

  // showGiven runs the steps before a failed one, to show its input.
  async #showGiven(step, at) {
    const before = this.#pipe.steps.slice(0, step);
    const call = request(this.#description, before, { mediaType: this.#inputType(), value: this.#field.value });
    const { signal } = this.#looking;
    const reply = await this.#place.send(call, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!reply?.ok) {
      say(reply ? `${reply.answer.title}. ${reply.answer.hint}` : "The server gave no answer; try again.");
      return;
    }
    byId("output-title").textContent = `Result of step ${step}`;
    this.#show(reply.answer.output);
    if (at) this.#viewer.goTo(at);
    say(`Result of step ${step} shown.`);
  }

  #showQuota(quota) {
    const node = byId("quota");
    node.hidden = !quota;
    if (!quota) return;
    node.textContent = `${quota.left} of ${quota.of} calls left`;
    node.classList.toggle("low", quota.left <= quota.of / 5);
  }

  #wait(seconds, hard) {
    const node = byId("waiting");
    const begins = node.hidden && seconds > 0;
    node.hidden = seconds === 0;
    node.textContent = hard
      ? `The quota is used up. The recipe runs again in ${seconds} s.`
      : `The quota runs low: live preview waits ${seconds} s. Run still works.`;
    if (begins) say(node.textContent);
  }

  #setInput(text, type) {
    this.#chosenType = type;
    this.#field.value = text;
    this.#inputChanged();
    if (text === "") this.#field.focus();
  }

  // useExample takes the description's example of the first tool, or, with no
  // recipe yet, that of the pipeline with its steps.
  #useExample() {
    const first = this.#pipe.steps[0]?.tool;
    const example = first ? first.example : this.#description.pipeline.example;
    if (!first) {
      this.#pipe.steps = example.steps.map((step) => {
        const tool = this.#description.tools.find((t) => t.name === step.tool);
        return { tool, options: complete(tool, step.options ?? {}) };
      });
      this.#recipeChanged();
    }
    this.#setInput(example.input.value, example.input.mediaType);
    this.#field.focus();
  }

  async #openFile(file) {
    if (!file) return;
    const most = this.#place.most(this.#description.limits);
    if (file.size > most) {
      this.#notice("The file is too large.", `It has ${bytes(file.size)}; one call takes at most ${bytes(most)}.`);
      return;
    }
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    } catch {
      this.#notice("The file cannot be read.", "It is not text in UTF-8.");
      return;
    }
    this.#notice("");
    const byName = { json: "application/json", yaml: "application/yaml", yml: "application/yaml", jwt: "application/jwt" };
    this.#setInput(text, byName[file.name.split(".").pop().toLowerCase()]);
    this.#fileName = file.name;
  }

  #download(button) {
    const type = byId("output-media").dataset.type;
    const name = (this.#fileName ?? "output").replace(/\.[^.]*$/, "");
    const address = URL.createObjectURL(new Blob([this.#viewer.text], { type }));
    const link = el("a", { href: address, download: `${name}.${extension(type)}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    confirmOn(button, "Saved");
  }
}

try {
  new Editor(await load());
  document.body.classList.add("ready");
  performance.mark("ready");
} catch (error) {
  const notice = byId("notice");
  notice.hidden = false;
  notice.textContent = "The description of the service could not be loaded. Reload the page to try again.";
  throw error;
}
