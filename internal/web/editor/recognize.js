// Recognizes the format of pasted or dropped text and which tools to offer for it, by
// the x-service-inputs of the tools. It sends no request.

const readLimit = 1_000_000; // longer JSON is not parsed
const lookLimit = 4_000; // characters that "start" patterns and the check for YAML examine

// recognize returns {kind, reason, mediaType, certain, value, recipe, claims}, or
// undefined if it recognizes nothing. certain reports whether the kind is unambiguous.
// value is set if the input is only a part of the text. recipe is set for a recipe
// link. claims lists the tools that recognize the text, as {tool, ...}, the certain
// ones first; the first of them describes the input.
export function recognize(text, tools) {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  const link = /^<?(?:https?:\/\/[^\s#]+#)?(r=1&s=[A-Za-z0-9_.~%,:&=-]+)>?$/.exec(trimmed);
  if (link) return { kind: "a recipe link", reason: "it holds r=1 and steps", recipe: link[1], claims: [] };
  const value = /^[[{]/.test(trimmed) && trimmed.length <= readLimit ? parsed(trimmed) : undefined;
  const claims = tools.map((tool) => claim(tool, trimmed, value)).filter(Boolean)
    .sort((a, b) => Number(b.certain ?? false) - Number(a.certain ?? false));
  const found = claims[0] ?? json(trimmed, value) ?? yaml(trimmed);
  return found && { ...found, claims };
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

// claim returns the first of a tool's inputs that a text matches, with its tool,
// options and value, or undefined. value is the JSON value of the text, if any.
export function claim(tool, text, value) {
  for (const input of tool.inputs) {
    const groups = value === undefined ? matched(input, text) : described(input, value);
    if (!groups) continue;
    const { kind, reason, mediaType, certain, options, same } = input;
    const found = { tool, kind: kind.replace(/\{(\w+)\}/g, (_, name) => groups[name]), reason, mediaType, certain, options, same };
    if (groups.value === undefined) return found;
    return { ...found, value: groups.value, reason: `${reason}${groups.value === text ? "" : "; the text around them is left out"}` };
  }
  return undefined;
}

// matched returns the named groups of an input's pattern in a text that is not JSON.
function matched({ pattern, start, unwrap, ignoreCase }, text) {
  if (!pattern && !start) return undefined;
  const whole = unwrap ? text.replace(/[ \t]*\r?\n[ \t]*/g, "") : text;
  const found = new RegExp(pattern ?? start, ignoreCase ? "i" : "").exec(pattern ? whole : whole.slice(0, lookLimit));
  return found && (found.groups ?? {});
}

// described returns the named groups of the patterns of an input's members. An array
// has the text [], an object {}.
function described({ members }, value) {
  if (!members) return undefined;
  let groups = {};
  for (const [pointer, pattern] of Object.entries(members)) {
    const member = pointer.slice(1).split("/").reduce((at, name) => at?.[name], value);
    const found = member !== undefined && new RegExp(pattern).exec(Array.isArray(member) ? "[]" : member instanceof Object ? "{}" : String(member));
    if (!found) return undefined;
    groups = { ...groups, ...found.groups };
  }
  return groups;
}

function json(text, value) {
  if (!/^[[{]/.test(text)) return undefined;
  const found = { kind: "JSON", mediaType: "application/json" };
  if (value !== undefined) return { ...found, reason: Array.isArray(value) ? "an array" : "an object", certain: true };
  return { ...found, reason: text.length <= readLimit ? "it starts like JSON but is not valid" : `it starts with ${text[0]}` };
}

function yaml(text) {
  const start = text.slice(0, lookLimit);
  return /^(?:---|[\w"'-]+:(?:\s|$)|- )/.test(start) && start.includes("\n")
    ? { kind: "YAML", mediaType: "application/yaml", reason: "lines of names and values" } : undefined;
}

// offers returns the recipes that accept the recognized input, most likely first, as
// {steps, own, input}: those of the tools that recognize it, then those of the tools that
// accept anything of its media type. Any string is text/plain, so a tool is offered
// for it only if it recognizes the input. own reports whether the result has the same
// format as the input; input is the {mediaType, value} that the recipe takes.
export function offers(found, tools) {
  const general = tools.filter(({ accepts, inputs }) => inputs.length === 0 && accepts.includes(found.mediaType) && found.mediaType !== "text/plain");
  const all = [...found.claims, ...general.map((tool) => ({ tool, mediaType: found.mediaType }))].flatMap(recipes);
  if (all.length === 1) all.push(...chains(all[0], tools));
  return all;
}

// recipes returns an offer for each value of the option that a tool requires or, if it
// requires none, one offer.
function recipes({ tool, options = {}, same = {}, mediaType, value }) {
  const input = { mediaType, value };
  const needed = tool.options.filter(({ name, required }) => required && options[name] === undefined);
  if (needed.length === 0) return [{ input, steps: [{ tool, options }] }];
  if (needed.length > 1) return [];
  const [{ name, values, preferred }] = needed;
  const own = same[name];
  const others = preferred.filter((target) => target !== own).slice(0, own ? 3 : 4);
  return [...others, ...values.filter((target) => target === own)]
    .map((target) => ({ input, own: target === own, steps: [{ tool, options: { ...options, [name]: target } }] }));
}

// chains returns an offer once for each tool that accepts its output, with that tool
// appended.
const chains = ({ steps, input }, tools) => tools
  .filter((tool) => tool !== steps[0].tool && steps[0].tool.produces.some((type) => type !== "text/plain" && tool.accepts.includes(type)))
  .filter((tool) => !tool.options.some((option) => option.required))
  .filter((tool) => tool.produces[0] !== steps[0].tool.produces[0])
  .map((tool) => ({ input, steps: [...steps, { tool, options: {} }] }));
