// Runs recipes on the server, one request at a time. A newer request cancels the one
// in flight. When few requests are left, live preview pauses until the quota is
// restored.

import { changedOptions } from "./recipe.js";

export const stepId = (i) => `step${i + 1}`;

// request returns the request for a recipe. A recipe of one step calls the tool
// directly. Longer recipes call the pipeline, which returns the results of all
// steps.
export function request({ pipeline }, steps, input) {
  if (steps.length === 1) {
    const options = changedOptions(steps[0]);
    const body = { input };
    if (Object.keys(options).length > 0) body.options = options;
    return { path: steps[0].tool.path, body };
  }
  const list = steps.map((step, i) => {
    const options = changedOptions(step);
    const item = { id: stepId(i), tool: step.tool.name };
    if (Object.keys(options).length > 0) item.options = options;
    return item;
  });
  const body = { version: 1, input, steps: list, returnStepIds: list.slice(0, -1).map((step) => step.id) };
  return { path: pipeline.path, body };
}

// results returns the artifacts of all steps from a response.
export function results(body, steps) {
  return steps.map((_, i) => (i === steps.length - 1 ? body.output : body.outputs[stepId(i)]));
}

// send sends one request and returns {ok, body, headers}. It throws if there is no
// response. If something else responded, such as a proxy, body is a problem that
// says so.
export async function send(call, signal) {
  const response = await fetch(call.path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(call.body),
    credentials: "omit",
    signal,
  });
  const body = parsed(await response.text());
  if (response.ok ? body?.output : body?.title && body.detail && body.hint) {
    if (!response.ok) body.hint = body.hint.replace(" Sending it again unchanged fails again.", ""); // for programs
    return { ok: response.ok, body, headers: response.headers };
  }
  const problem = {
    title: "Unexpected response",
    detail: `The response has status ${response.status} but is not one of this service. It may come from a proxy in front of it.`,
    hint: "Run again in a moment. If this keeps happening, tell the operator of this server.",
    away: true,
  };
  return { ok: false, body: problem, headers: response.headers };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// withSeconds adds the Retry-After delay to a problem's hint.
function withSeconds(problem, headers) {
  const seconds = Number(headers.get("Retry-After"));
  return seconds > 0 ? { ...problem, hint: `${problem.hint} Retry-After: ${seconds} s.` } : problem;
}

// quota parses the RateLimit and RateLimit-Policy headers
// (draft-ietf-httpapi-ratelimit-headers). undefined means no limit.
function quota(headers) {
  const left = /;r=(\d+)/.exec(headers.get("RateLimit") ?? "");
  const policy = /;q=(\d+);w=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "");
  if (!left || !policy) return undefined;
  return { left: Number(left[1]), of: Number(policy[1]), perSecond: Number(policy[1]) / Number(policy[2]) };
}

// Runner calls on.start(), on.done(body, milliseconds), on.problem(problem),
// on.quota(quota) and on.wait(seconds, hard). problem.away reports that the server
// did not respond. seconds is the time to wait, 0 when it is over. hard reports
// whether the server rejects requests until then.
export class Runner {
  #on;
  #make; // returns the request, or undefined if there is nothing to run
  #call; // the AbortController of the request in flight
  #timer;
  #resume; // when to resume, in milliseconds since 1970; 0 if not waiting
  #hard = false;
  #ticker;
  #pending = false;
  #quota;
  #send; // has the same signature as send

  constructor(make, on, send) {
    this.#make = make;
    this.#on = on;
    this.#send = send;
    this.#resume = 0;
  }

  // cancel cancels the request in flight and the scheduled one.
  cancel() {
    clearTimeout(this.#timer);
    this.#pending = false;
    this.#call?.abort();
    this.#call = undefined;
  }

  // soon runs the recipe after a short pause. The pause is longer when few requests
  // are left.
  soon() {
    this.cancel();
    if (this.#resume) {
      this.#pending = true;
      return;
    }
    const share = this.#quota ? this.#quota.left / this.#quota.of : 1;
    this.#timer = setTimeout(() => this.#run(), share > 0.5 ? 250 : share > 0.25 ? 600 : 1200);
  }

  // now runs the recipe immediately, unless the server rejects requests.
  now() {
    this.cancel();
    if (this.#resume && this.#hard) {
      this.#pending = true;
      return;
    }
    this.#run();
  }

  // free stops waiting for the server, because recipes now run elsewhere.
  free() {
    clearInterval(this.#ticker);
    this.#resume = 0;
    this.#quota = undefined;
    this.#on.quota(undefined);
    this.#on.wait(0, false);
  }

  async #run() {
    const made = this.#make();
    if (!made) return;
    const call = new AbortController();
    this.#call = call;
    this.#on.start();
    const began = performance.now();
    let reply;
    try {
      reply = await this.#send(made, call.signal);
    } catch {
      if (call.signal.aborted) return;
      this.#call = undefined;
      this.#on.problem({
        title: "No response",
        detail: "The server did not respond, or the connection broke.",
        hint: "Check the connection, then run again.",
        away: true,
      });
      return;
    }
    if (call.signal.aborted) return;
    this.#call = undefined;
    this.#account(reply);
    if (reply.ok) this.#on.done(reply.body, performance.now() - began);
    else this.#on.problem(withSeconds(reply.body, reply.headers));
  }

  #account({ body, headers }) {
    this.#quota = quota(headers);
    this.#on.quota(this.#quota);
    if (body.code === "rate_limited") {
      this.#pending = true;
      this.#wait(Number(headers.get("Retry-After")) || 1, true);
      return;
    }
    if (!this.#quota) return;
    const low = Math.max(2, Math.floor(this.#quota.of / 10));
    if (this.#quota.left <= low) this.#wait(Math.ceil((2 * low - this.#quota.left) / this.#quota.perSecond), false);
  }

  // wait counts down and then runs what was scheduled in the meantime.
  #wait(seconds, hard) {
    this.#resume = Date.now() + seconds * 1000;
    this.#hard = hard;
    clearInterval(this.#ticker);
    this.#on.wait(seconds, hard);
    this.#ticker = setInterval(() => {
      const left = Math.ceil((this.#resume - Date.now()) / 1000);
      this.#on.wait(Math.max(0, left), hard);
      if (left > 0) return;
      clearInterval(this.#ticker);
      this.#resume = 0;
      if (this.#pending) this.now();
    }, 250);
  }
}
