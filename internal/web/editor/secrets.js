// Finds the placeholders that replaced secrets in an output: shell variables,
// Postman variables, or <redacted> after a name.

const kinds = [
  ["passwords", /pass|pwd|secret|pin/i],
  ["cookies", /cookie|session|sid$/i],
  ["keys", /key/i],
  ["tokens", /token|auth|bearer|jwt|code/i],
];

// placeholders returns the names of the placeholders, grouped by kind, as one
// string. It returns "" if there are none.
export function placeholders(text) {
  const names = new Set(/^# Set before use: (.+)$/m.exec(text)?.[1].split(", "));
  for (const [, name] of text.matchAll(/\{\{([\w.-]{1,60})\}\}/g)) if (name !== "baseUrl") names.add(name);
  for (const { index } of text.matchAll(/<redacted>/g)) names.add(named(text.slice(Math.max(0, index - 400), index)));
  const groups = new Map();
  for (const name of names) {
    const kind = kinds.find(([, looks]) => looks.test(name))?.[0] ?? "others";
    groups.set(kind, [...groups.get(kind) ?? [], name]);
  }
  return [...groups].map(([kind, list]) => `${kind} (${list.slice(0, 8).join(", ")}${list.length > 8 ? " …" : ""})`).join(", ");
}

// named returns the name of the property or parameter whose value is a placeholder.
// before is the text before the placeholder.
function named(before) {
  const member = /([\w.-]+)["'\\]*\s*[:=]\s*["'\\]*(?:Bearer |Basic )?$/.exec(before)?.[1];
  if (member && !/^(?:example|value|default|raw)$/.test(member)) return member;
  return [...before.matchAll(/\b(?:name|key)["']?:\s*["']?([\w.-]+)/g)].at(-1)?.[1] ?? "value";
}
