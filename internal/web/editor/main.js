// The editor. Its state is the recipe, the input and the last response. The URL
// holds the recipe and nothing else.

import { listen } from "./arrivals.js";
import { Batch } from "./batch.js";
import { choose } from "./choices.js";
import { load } from "./openapi.js";
import { byId, bytes, copy, confirmOn, count, say } from "./dom.js";
import { Field } from "./field.js";
import { read, save } from "./files.js";
import { Find } from "./find.js";
import { History } from "./history.js";
import { Input } from "./input.js";
import { Keys } from "./keys.js";
import { Layout } from "./layout.js";
import { notice } from "./notice.js";
import { Offers } from "./offer-view.js";
import { Output } from "./output.js";
import { Place } from "./place.js";
import { faultsOf, Problems } from "./problem-view.js";
import { showQuota, showWait } from "./quota-view.js";
import { complete, fault, format, parse, RecipeError } from "./recipe.js";
import { request, results, Runner, stepId } from "./runner.js";
import { Shelf } from "./shelf-view.js";
import { Pipe } from "./steps.js";
import { extension, label } from "./text.js";
import { Use } from "./use.js";
import * as warnings from "./warnings.js";

class Editor {
  #api;
  #field = new Field(byId("input-code"), () => this.#inputChanged());
  #input;
  #output = new Output();
  #pipe;
  #place;
  #runner;
  #use;
  #shelf;
  #offers;
  #problems;
  #batch;
  #history = new History();
  #finds;
  #artifacts; // the results of all steps in the last response
  #took; // duration of the last request in milliseconds
  #fileName;
  #refused = false; // whether the recipe in the URL is invalid
  #looking = new AbortController(); // cancels the request that shows the input of a step

  constructor(api) {
    this.#api = api;
    this.#input = new Input(this.#field, () => this.#recipeChanged());
    this.#pipe = new Pipe(byId("pipe"), api.tools, api.pipeline.steps, {
      change: () => this.#recipeChanged(),
      open: (i) => this.#open(i),
    });
    this.#place = new Place(() => {
      this.#runner.free();
      this.#plan();
    });
    this.#runner = new Runner(() => this.#call(), {
      start: () => this.#busy(true),
      done: (result, took) => this.#done(result, took),
      problem: (problem) => this.#failed(problem),
      quota: showQuota,
      wait: showWait,
    }, this.#place.send);
    this.#use = new Use();
    this.#shelf = new Shelf(() => format(this.#pipe.steps), (recipe) => this.#openRecipe(recipe));
    this.#offers = new Offers(api.tools, (steps, found) => this.#take(steps, found), (recipe) => {
      this.#setInput("");
      this.#openRecipe(recipe);
    });
    this.#problems = new Problems(this.#field, this.#input, this.#pipe, {
      set: (options) => this.#set(options),
      read: (mediaType) => this.#read(mediaType),
      showInput: (step, at) => this.#showInputOf(step, at),
    });
    this.#batch = new Batch((value, type) => this.#place.send(request(api, this.#pipe.steps, { mediaType: this.#input.type(value, type), value })));
    const field = this.#field;
    this.#finds = {
      input: new Find(byId("input-panel").querySelector(".bar"), {
        get text() {
          return field.value;
        },
        mark: (marks) => this.#field.mark(marks),
        reveal: (start, end, focus) => this.#field.select(start, end, focus),
        focus: () => this.#field.focus(),
      }, "the input"),
      output: new Find(byId("output-panel").querySelector(".bar"), {
        text: "",
        mark: (marks) => this.#output.viewer.mark(marks),
        reveal: (start) => this.#output.viewer.reveal(start),
        focus: () => byId("output").focus(),
      }, "the output"),
    };
    const layout = new Layout((wrap) => {
      this.#field.wrap = wrap;
    });
    this.#listen(layout);
    this.#openRecipeLink();
  }

  #listen(layout) {
    addEventListener("hashchange", () => this.#openRecipeLink());
    new Keys({
      run: () => this.#run(),
      copy: () => (byId("copy").disabled ? false : byId("copy").click()),
      undo: () => this.#travel(this.#history.undo()),
      redo: () => this.#travel(this.#history.redo()),
      wrap: () => layout.wrap(),
      input: () => this.#field.focus(),
      output: () => byId("output").focus(),
      find: () => this.#find(),
    });
    byId("run").addEventListener("click", () => this.#run());
    byId("undo").addEventListener("click", () => this.#travel(this.#history.undo()));
    byId("redo").addEventListener("click", () => this.#travel(this.#history.redo()));
    byId("live").addEventListener("change", () => this.#plan());
    byId("copy").addEventListener("click", () => copy(byId("copy"), this.#output.text));
    byId("download").addEventListener("click", (event) => this.#download(event.target));
    byId("find-input").addEventListener("click", () => this.#finds.input.open());
    byId("find-output").addEventListener("click", () => this.#finds.output.open());
    byId("clear").addEventListener("click", () => this.#setInput(""));
    byId("example").addEventListener("click", () => this.#useExample());
    byId("open-file").addEventListener("click", () => byId("file").click());
    byId("file").addEventListener("change", (event) => {
      this.#openFiles([...event.target.files]);
      event.target.value = "";
    });
    listen({
      paste: (text, field, whole) => this.#pasted(text, field, whole),
      takes: (text) => this.#field.takes(text),
      files: (files) => this.#openFiles(files),
    });
  }

  #pasted(text, field, whole) {
    if (!field) this.#field.replace(text);
    if (whole) setTimeout(() => this.#arrived()); // after the browser has inserted it
  }

  // arrived detects the format of an input that arrives while the recipe is empty,
  // and immediately previews the most likely result.
  #arrived() {
    if (this.#pipe.steps.length > 0) return;
    this.#refused = false; // the new input is unrelated to the link
    notice("");
    this.#changed(true);
    if (this.#ready() && byId("live").checked) this.#runner.now();
  }

  // run runs the recipe. If there is none, it keeps the previewed offer.
  #run() {
    if (this.#pipe.steps.length > 0 || !this.#offers.keep()) this.#runner.now();
  }

  #find() {
    const pane = document.activeElement?.closest(".panel");
    if (pane?.id === "input-panel" && this.#field.value !== "") this.#finds.input.open();
    else if (pane?.id === "output-panel" && !byId("find-output").hidden && !byId("find-output").disabled) this.#finds.output.open();
    else return false;
    return true;
  }

  #openRecipe(recipe) {
    location.hash = recipe;
  }

  // travel restores the steps before or after a change and leaves the input
  // unchanged.
  #travel(steps) {
    if (!steps) return false;
    this.#pipe.steps = steps;
    this.#recipeChanged();
    say(`The recipe now has ${count(steps.length, "step")}.`);
    return true;
  }

  // take replaces the recipe with an offer and runs it.
  #take(steps, { mediaType, value }) {
    this.#pipe.steps = steps;
    if (value !== undefined && value !== this.#field.value) this.#field.replace(value);
    this.#input.choose(mediaType);
    this.#recipeChanged();
    this.#runner.now();
    byId("run").focus();
  }

  // openRecipeLink opens the recipe in the URL. It rejects an invalid recipe as a
  // whole: no part of it is shown or run.
  #openRecipeLink() {
    const text = location.hash.slice(1);
    if (text !== "" && text === format(this.#pipe.steps)) return;
    let steps = [];
    notice("");
    this.#refused = false;
    try {
      if (text !== "") steps = parse(this.#api.tools, text);
    } catch (error) {
      if (!(error instanceof RecipeError)) throw error;
      this.#refused = true;
      notice("This link cannot be opened.", `${error.message} Nothing was run. Build the recipe below, or ask for a new link.`);
    }
    this.#runner.cancel();
    this.#pipe.steps = steps;
    this.#recipeChanged();
  }

  #recipeChanged() {
    const { steps } = this.#pipe;
    this.#history.note(steps);
    byId("undo").disabled = !this.#history.able.undo;
    byId("redo").disabled = !this.#history.able.redo;
    const broken = fault(steps);
    const whole = steps.length > 0 && !broken?.lacking;
    if (steps.length > 0) {
      notice("");
      // A recipe that lacks a required option has no link.
      const url = whole ? `#${format(steps)}` : location.pathname;
      if (!whole || location.hash !== url) history.replaceState(null, "", url);
    } else if (!this.#refused && location.hash !== "") {
      history.replaceState(null, "", location.pathname);
    }
    this.#shelf.offer(whole);
    this.#changed();
  }

  #inputChanged() {
    this.#fileName = undefined;
    if (!this.#refused) notice(""); // clear the notice of an earlier file
    this.#finds.input.refresh();
    this.#changed();
  }

  #changed(arrived = false) {
    const { steps } = this.#pipe;
    const offered = steps.length === 0 && this.#field.value !== "";
    const found = offered ? this.#offers.show(this.#field.value, arrived, faultsOf) : this.#offers.hide();
    this.#input.show(steps[0]?.tool.accepts ?? (found?.mediaType ? [found.mediaType] : []));
    if (found) this.#field.faults = found.faults.map(({ start, end }) => [start, end]);
    byId("example").hidden = false;
    this.#plan();
  }

  // plan runs the recipe after a short pause if it can run, and clears the output
  // otherwise.
  #plan() {
    const { steps = [], input } = this.#recipe() ?? {};
    this.#use.show(this.#api, steps, input?.mediaType);
    this.#looking.abort();
    this.#looking = new AbortController();
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

  // recipe returns what to run, as {steps, input}: the steps of the recipe or, if
  // there are none, the previewed offer.
  #recipe() {
    const { steps } = this.#pipe;
    const value = this.#field.value;
    if (steps.length === 0) return byId("live").checked && !this.#refused ? this.#offers.preview : undefined;
    return { steps, input: { mediaType: this.#input.type(value), value } };
  }

  #ready() {
    const recipe = this.#recipe();
    return recipe !== undefined && recipe.input.value !== "" && !fault(recipe.steps);
  }

  #forget() {
    this.#artifacts = undefined;
    this.#finds.output.close();
    this.#output.clear();
    byId("problem").hidden = true;
    byId("warnings").hidden = true;
    document.body.classList.remove("stale", "preview");
  }

  #call() {
    if (!this.#ready()) return undefined;
    const { steps, input } = this.#recipe();
    return request(this.#api, steps, input);
  }

  #busy(on) {
    document.body.classList.toggle("busy", on);
    document.body.classList.toggle("stale", on);
  }

  #done(result, took) {
    this.#busy(false);
    const { steps, title, sentence } = this.#recipe();
    document.body.classList.toggle("preview", title !== undefined);
    this.#artifacts = results(result, steps);
    this.#took = took;
    byId("problem").hidden = true;
    if (!title) choose([]);
    this.#field.faults = [];
    this.#pipe.mark(-1, "");
    warnings.fill(byId("warnings"), result.warnings, steps.length > 1 ? steps.map((_, i) => stepId(i)) : [], result.output.value, (at) => this.#goTo(at));
    this.#open(steps.length - 1);
    const warned = result.warnings.length > 0 ? `, ${count(result.warnings.length, "warning")}` : "";
    say(title ? `${sentence}Preview of ${title}: ${byId("output-facts").textContent}${warned}. Enter keeps it.`
      : `Result: ${byId("output-facts").textContent} of ${label(result.output.mediaType)}${warned}.`);
  }

  // goTo shows the location in the input that a warning names.
  #goTo(at) {
    const text = this.#field.value;
    if (at.line) {
      this.#field.goTo({ line: at.line, column: 1 });
      return;
    }
    const range = warnings.find(text, this.#input.type(text), at.pointer);
    if (range) this.#field.select(...range);
    else say("This location was not found in the input.");
  }

  // open shows the result of step i.
  #open(i) {
    const artifact = this.#artifacts?.[i];
    if (!artifact) return;
    const last = i === this.#artifacts.length - 1;
    const others = [{ name: "the input", value: this.#field.value },
      ...this.#artifacts.map(({ value }, at) => ({ name: `the result of step ${at + 1}`, value })).filter((_, at) => at !== i)];
    const title = this.#recipe()?.title;
    this.#output.show(artifact, title ? `Preview: ${title}` : last ? "Output" : `Result of step ${i + 1}`, others, `${Math.max(1, Math.round(this.#took))} ms ${this.#place.lastRun}${this.#artifacts.length > 1 ? " for all steps" : ""}`);
    this.#finds.output.text = artifact.value;
    this.#pipe.results(this.#artifacts, i);
    if (!last) say(`Result of step ${i + 1} shown.`);
  }

  #failed(problem) {
    this.#busy(false);
    this.#forget();
    if (this.#pipe.steps.length === 0) return; // a preview shows its problem only once the user takes the offer
    byId("output-facts").textContent = "No result";
    this.#pipe.results(undefined);
    this.#problems.show(problem.away ? { ...problem, ...this.#place.whenOffline(() => this.#runner.now()) } : problem);
  }

  // set changes options of the first step. undefined removes an option.
  #set(options) {
    this.#pipe.steps = this.#pipe.steps.map(({ tool, options: old }, i) => ({ tool, options: i === 0 ? complete(tool, { ...old, ...options }) : old }));
    this.#recipeChanged();
    say("Recipe changed.");
  }

  // read sets the media type of the input.
  #read(mediaType) {
    this.#input.choose(mediaType);
    this.#changed();
    say(`The input is read as ${label(mediaType)}.`);
  }

  // showInputOf runs the steps before a failed step to show the input of that step.
  async #showInputOf(step, at) {
    const before = this.#pipe.steps.slice(0, step);
    const value = this.#field.value;
    const call = request(this.#api, before, { mediaType: this.#input.type(value), value });
    const { signal } = this.#looking;
    const reply = await this.#place.send(call, signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!reply?.ok) {
      say(reply ? `${reply.body.title}. ${reply.body.hint}` : "The server did not respond. Try again.");
      return;
    }
    this.#output.show(reply.body.output, `Result of step ${step}`, [{ name: "the input", value }]);
    this.#finds.output.text = reply.body.output.value;
    if (at) this.#output.viewer.goTo(at);
    say(`Result of step ${step} shown.`);
  }

  #setInput(text, type) {
    this.#input.choose(type);
    this.#field.value = text;
    this.#inputChanged();
    if (text === "") this.#field.focus();
  }

  // useExample loads the example of the first tool from the OpenAPI document, or the
  // example of the pipeline if there is no recipe.
  #useExample() {
    const first = this.#pipe.steps[0]?.tool;
    const example = first ? first.example : this.#api.pipeline.example;
    if (!first) {
      this.#pipe.steps = example.steps.map((step) => {
        const tool = this.#api.tools.find((t) => t.name === step.tool);
        return { tool, options: complete(tool, step.options ?? {}) };
      });
      this.#recipeChanged();
    }
    this.#setInput(example.input.value, example.input.mediaType);
    this.#field.focus();
  }

  async #openFiles(files) {
    const maxSize = this.#place.maxFileSize(this.#api.limits);
    if (files.length > 1) {
      if (fault(this.#pipe.steps) || this.#pipe.steps.length === 0) notice("Several files need a recipe.", "Build it first, then open or drop the files again.");
      else await this.#batch.run(files, maxSize);
      return;
    }
    const [file] = files;
    if (!file) return;
    if (file.size > maxSize) {
      notice("The file is too large.", `It has ${bytes(file.size)}; the limit is ${bytes(maxSize)}. The command line accepts files of up to 1 GiB.`);
      return;
    }
    const found = await read(file);
    if (!found) {
      notice("The file cannot be read.", "It is not UTF-8 text.");
      return;
    }
    this.#setInput(found.text, found.mediaType);
    this.#fileName = file.name;
    this.#arrived();
  }

  #download(button) {
    const type = this.#output.mediaType;
    const name = (this.#fileName ?? "output").replace(/\.[^.]*$/, "");
    save(`${name}.${extension(type)}`, type, this.#output.text);
    confirmOn(button, "Saved");
  }
}

try {
  new Editor(await load());
  document.body.classList.add("ready");
  performance.mark("ready");
} catch (error) {
  notice("The OpenAPI document could not be loaded.", "Reload the page to try again.");
  throw error;
}
