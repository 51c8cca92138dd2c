// Recognizes the format of pasted or dropped text by its syntax and, for JSON, by
// parsing it. It sends no request.

const readLimit = 1_000_000; // longer JSON is not parsed
const lookLimit = 4_000; // characters that the other checks examine

// recognize returns {kind, reason, mediaType, certain, value, recipe}, or undefined
// if it recognizes nothing. certain reports whether the kind is unambiguous. value
// is set if the input is only a part of the text. recipe is set for a recipe link.
export function recognize(text) {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  for (const look of [link, jwt, json, time, shell, yaml]) {
    const found = look(trimmed);
    if (found) return found;
  }
  return undefined;
}

function link(text) {
  const found = /^<?(?:https?:\/\/[^\s#]+#)?(r=1&s=[A-Za-z0-9_.~%,:&=-]+)>?$/.exec(text);
  return found && { kind: "a recipe link", reason: "it holds r=1 and steps", recipe: found[1] };
}

const parts = { 2: ["a JSON Web Token without its last part", "two"], 3: ["a JSON Web Token", "three"], 5: ["an encrypted JSON Web Token", "five"] };

// jwt finds a token, without the quotes, header, cookie or JSON member that it was
// copied with. The token may span lines that a terminal wrapped.
function jwt(text) {
  const found = /^(?:-H\s+)?["']?(?:[\w-]+["']?\s*[:=]\s*){0,2}["']?(?:Bearer\s+)?(ey[\w-]+(?:\.[\w-]*)+)["']?\s*(?:[,;].*)?$/i.exec(text.replace(/[ \t]*\r?\n[ \t]*/g, ""));
  const value = found?.[1];
  const known = value && parts[value.split(".").length];
  if (!known || !/^eyJ|^ey[\w-]{10,}\.[^.]*\.[^.]*$/.test(value)) return undefined;
  return {
    kind: known[0], mediaType: "application/jwt", value, certain: known === parts[3],
    reason: `${known[1]} base64url parts separated by dots${value === text ? "" : "; the text around them is left out"}`,
  };
}

function json(text) {
  if (!/^[[{]/.test(text)) return undefined;
  const mediaType = "application/json";
  const value = text.length <= readLimit ? parsed(text) : undefined;
  if (value === undefined) {
    const start = text.slice(0, lookLimit);
    if (/"openapi"\s*:\s*"3/.test(start)) return { kind: "an OpenAPI document", mediaType, reason: 'JSON with an "openapi" member', source: true };
    return { kind: "JSON", mediaType, reason: text.length <= readLimit ? "it starts like JSON but is not valid" : `it starts with ${text[0]}` };
  }
  if (typeof value.openapi === "string") return { kind: `an OpenAPI ${value.openapi} document`, mediaType, reason: 'JSON with an "openapi" member', source: true, certain: true };
  if (typeof value.swagger === "string") return { kind: `a Swagger ${value.swagger} document`, mediaType, reason: 'JSON with a "swagger" member', source: true, certain: true };
  if (/getpostman\.com|schema\.postman\.com/.test(value.info?.schema ?? "") || Array.isArray(value.item) && value.info?.name !== undefined) {
    return { kind: "a Postman collection", mediaType, reason: 'JSON with "info" and "item"', source: true, certain: true };
  }
  return { kind: "JSON", mediaType, reason: Array.isArray(value) ? "an array" : "an object", certain: true };
}

function parsed(text) {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

const units = { 10: "seconds", 13: "milliseconds", 16: "microseconds", 19: "nanoseconds" };

function time(text) {
  const mediaType = "text/plain";
  const epoch = /^-?(\d{9,19})(?:\.\d+)?$/.exec(text);
  if (epoch) {
    const digits = epoch[1].length;
    const unit = units[digits] ?? units[digits + 1] ?? "seconds";
    return { kind: "a Unix time", mediaType, reason: `${digits} digits, so probably ${unit}`, options: { unit }, certain: digits in units };
  }
  if (/^[+-]?\d{4,6}-\d\d(?:-\d\d)?[T ]\d\d:\d\d/.test(text) || /^[A-Z][a-z]{2,8},? \d{1,2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d/.test(text)) {
    return text.includes("\n") ? undefined : { kind: "a date and time", mediaType, reason: "a calendar date with a time", certain: true };
  }
  return /^\d{4}-\d\d-\d\d$/.test(text) ? { kind: "a date", mediaType, reason: "a calendar date without a time" } : undefined;
}

function shell(text) {
  const start = text.slice(0, lookLimit);
  const mediaType = "text/plain";
  if (/^["']?(?:openapi|swagger|info|item|paths)["']?[ \t]*:/m.test(start)) return undefined; // an OpenAPI document may mention a command
  if (/^\s*(?:\$\w+\s*=\s*)?(?:Invoke-(?:WebRequest|RestMethod)|iwr|irm)\b/im.test(start) || /(?:^|\n)\$\w+\s*=\s*New-Object Microsoft\.PowerShell/.test(start)) {
    return { kind: "PowerShell", mediaType, reason: "it calls Invoke-WebRequest", source: true };
  }
  if (!/(?:^|[\n;&|(]\s*|\$ )curl(?:\.exe)?(?:\s|\^)/.test(start)) return undefined;
  if (/curl[^\n]*\^"|\^\r?\n/.test(start)) return { kind: "a curl command of the Windows command prompt", mediaType, reason: "carets before quotes or at line ends", source: true, certain: true };
  if (/`\r?\n|curl\.exe/.test(start)) return { kind: "a curl command of PowerShell", mediaType, reason: "backticks at line ends, or curl.exe", source: true, certain: true };
  return { kind: "curl commands", mediaType, reason: "it calls curl", source: true, certain: /^[$\s]*curl/.test(start) };
}

function yaml(text) {
  const start = text.slice(0, lookLimit);
  const mediaType = "application/yaml";
  const version = /^(openapi|swagger):\s*["']?(\d[\w.]*)/m.exec(start);
  if (version) return { kind: `${version[1] === "openapi" ? "an OpenAPI" : "a Swagger"} ${version[2]} document`, mediaType, reason: `YAML with the member "${version[1]}"`, source: true, certain: true };
  if (/^(?:---|[\w"'-]+:(?:\s|$)|- )/.test(start) && start.includes("\n")) return { kind: "YAML", mediaType, reason: "lines of names and values" };
  return undefined;
}

// offers returns the recipes that accept the recognized input, most likely first, as
// {steps, own}. tools are those of the OpenAPI document. own reports whether the
// result has the same format as the input.
export function offers(found, tools) {
  if (found.recipe) return [];
  const all = [];
  for (const tool of tools.filter(({ accepts }) => accepts.includes(found.mediaType))) {
    const needed = tool.options.filter((option) => option.required);
    const target = needed[0];
    if (target && (!found.source || needed.length > 1 || target.values.length === 0)) continue;
    if (!target && found.source && found.mediaType === "text/plain") continue; // a shell command is not a timestamp
    if (!target) all.push({ steps: [{ tool, options: picked(tool, found.options) }] });
    else all.unshift(...targets(target, found).map(({ value, own }) => ({ own, steps: [{ tool, options: { [target.name]: value } }] })));
  }
  if (all.length === 1 && !found.source) all.push(...chains(all[0], tools));
  return all;
}

// picked returns the guessed options that a tool supports.
const picked = (tool, options = {}) => Object.fromEntries(Object.entries(options)
  .filter(([name, value]) => tool.options.some((o) => o.name === name && o.values.includes(value))));

// chains returns an offer once for each tool that accepts its output, with that tool
// appended.
const chains = ({ steps }, tools) => tools
  .filter((tool) => tool !== steps[0].tool && steps[0].tool.produces.some((type) => tool.accepts.includes(type)))
  .filter((tool) => !tool.options.some((option) => option.required))
  .filter((tool) => tool.produces[0] !== steps[0].tool.produces[0])
  .map((tool) => ({ steps: [...steps, { tool, options: {} }] }));

// targets returns the target formats for an API source, each once. The format of the
// source comes last.
function targets(option, found) {
  const preferred = ["openapi-3.1-yaml", "postman-2.1", "curl", "openapi-3.0-json", "swagger-2.0-json"].filter((value) => option.values.includes(value));
  const own = [[/OpenAPI 3\.1/, "openapi-3.1-yaml"], [/Postman/, "postman-2.1"], [/Swagger/, "swagger-2.0-json"], [/curl/, "curl"]].find(([kind]) => kind.test(found.kind))?.[1];
  const list = preferred.length > 0 ? preferred : option.values;
  const others = list.filter((value) => value !== own).slice(0, list.includes(own) ? 3 : 4);
  return [...others, ...list.filter((value) => value === own)].map((value) => ({ value, own: value === own }));
}
