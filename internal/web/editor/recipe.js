// Parses and formats recipe links: r=1&s=TOOL,OPTION:VALUE&s=TOOL. This parser
// accepts and rejects the same links as the parser on the server. Both are tested
// with internal/recipe/testdata/vectors.json.

const maxLength = 8192;
const maxSteps = 20;

export class RecipeError extends Error {}

// parse returns the steps, {tool, options}, with defaults filled in. For an invalid
// link it throws a RecipeError, whose message contains no part of the link.
export function parse(tools, text) {
  if (text.length > maxLength) throw new RecipeError(`The recipe is longer than ${maxLength} characters.`);
  const [version, ...parts] = text.split("&");
  if (version !== "r=1") throw new RecipeError("The recipe does not have version 1, the only supported one.");
  if (parts.length === 0 || parts.length > maxSteps) throw new RecipeError(`A recipe has 1 to ${maxSteps} steps.`);
  return parts.map((part, i) => {
    if (!part.startsWith("s=")) throw new RecipeError(`Part ${i + 1} of the recipe is not a step.`);
    return parseStep(tools, part.slice(2), i + 1);
  });
}

function parseStep(tools, text, number) {
  const [name, ...fields] = text.split(",");
  const tool = tools.find((t) => t.name === name);
  if (!tool) throw new RecipeError(`Step ${number} of the recipe names an unknown tool.`);
  const options = new Map();
  for (const field of fields) {
    const colon = field.indexOf(":");
    const option = tool.options.find((o) => o.name === (colon < 0 ? field : field.slice(0, colon)));
    if (!option || options.has(option.name)) {
      throw new RecipeError(`Step ${number} of the recipe has an unknown or repeated option.`);
    }
    const value = parseValue(option, colon < 0 ? "" : field.slice(colon + 1));
    if (value === undefined) throw new RecipeError(`Step ${number} of the recipe has an invalid option value.`);
    options.set(option.name, value);
  }
  if (missing({ tool, options: Object.fromEntries(options) }).length > 0) {
    throw new RecipeError(`Step ${number} of the recipe lacks an option that the tool requires.`);
  }
  return { tool, options: complete(tool, Object.fromEntries(options)) };
}

function parseValue(option, encoded) {
  if (option.integer) {
    if (!/^(?:0|-?[1-9][0-9]{0,15})$/.test(encoded)) return undefined;
    const n = Number(encoded);
    return n >= option.minimum && n <= option.maximum ? n : undefined;
  }
  if (!/^(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})*$/.test(encoded)) return undefined;
  try {
    const text = decodeURIComponent(encoded);
    return option.values.includes(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

// format returns the link for steps. Equal steps always produce the same link.
// Options that have their default value are omitted.
export function format(steps) {
  return ["r=1", ...steps.map(({ tool, options }) => [
    `s=${tool.name}`,
    ...tool.options
      .filter((o) => options[o.name] !== undefined && options[o.name] !== o.preset)
      .map((o) => `${o.name}:${escape(String(options[o.name]))}`),
  ].join(","))].join("&");
}

// escape percent-encodes everything except the unreserved characters of RFC 3986.
const escape = (text) => encodeURIComponent(text)
  .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

// complete fills in the defaults of a tool's options.
export function complete(tool, options) {
  const all = {};
  for (const o of tool.options) {
    const value = options[o.name] ?? o.preset;
    if (value !== undefined) all[o.name] = value;
  }
  return all;
}

// missing returns the required options that a step lacks.
export const missing = ({ tool, options }) => tool.options
  .filter((o) => o.required && options[o.name] === undefined);

// changedOptions returns the options of a step that differ from their defaults.
export function changedOptions({ tool, options }) {
  return Object.fromEntries(tool.options
    .filter((o) => options[o.name] !== undefined && options[o.name] !== o.preset)
    .map((o) => [o.name, options[o.name]]));
}

// outputType returns the media type of a step's output. It returns undefined if the
// option that determines it is not set.
export function outputType({ tool, options }) {
  for (const o of tool.options) {
    if (Object.keys(o.produces).length > 0) return o.produces[options[o.name]];
  }
  return tool.produces[0];
}

// fault returns the step that prevents a recipe from running, with the reason, or
// undefined if the recipe can run.
export function fault(steps) {
  for (const [i, step] of steps.entries()) {
    const before = i > 0 ? outputType(steps[i - 1]) : undefined;
    if (before !== undefined && !step.tool.accepts.includes(before)) {
      return { step: i, mismatch: before };
    }
    const lacking = missing(step);
    if (lacking.length > 0) return { step: i, lacking: lacking[0] };
  }
  return undefined;
}
