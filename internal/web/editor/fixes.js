// Finds fixes for problems other than invalid JSON or YAML: text around a token,
// newline-delimited JSON, and the unit or time zone of a timestamp.

import { claim } from "./recognize.js";

const readLimit = 1_000_000; // longer input is not parsed as newline-delimited JSON

// fixes returns the fixes for a problem, most likely first. {name, text} replaces
// the input. {name, options} changes options of the first step, where undefined
// removes an option. tool is that of the first step, set its options.
export function fixes(problem, text, tool, set = {}) {
  if (problem.status !== 422) return [];
  const bearer = /^(\s*(?:authorization:\s*)?bearer\s+)\S/i.exec(text);
  if (bearer) return [{ name: "Remove Bearer", text: text.slice(bearer[1].length) }];
  const token = problem.code === "invalid_jwt" && claim(tool, text.trim());
  if (token?.value && token.value !== text) return [{ name: "Keep only the token", text: token.value }];
  const rows = problem.code === "invalid_json" && text.length <= readLimit ? text.split("\n").map((row) => row.trim()).filter(Boolean) : [];
  if (rows.length > 1 && rows.every(sound)) return [{ name: "Put all lines into one array", text: `[\n${rows.join(",\n")}\n]\n` }];
  if (text.length > 100) return []; // too long for a timestamp
  const time = text.trim();
  switch (problem.code) {
    case "unit_required": return [unit(time)];
    case "timestamp_out_of_range": return set.unit && unit(time).options.unit !== set.unit ? [unit(time)] : [];
    case "zone_required": return zones(time);
    case "invalid_timestamp": return set.unit && /^\d{4}-/.test(time) ? [{ name: "Remove the unit", options: { unit: undefined } }] : respelled(time);
    default: return [];
  }
}

// sound reports whether a string is valid JSON.
function sound(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unit(time) {
  const digits = /\d+/.exec(time)?.[0].length ?? 0;
  const name = digits <= 11 ? "seconds" : digits <= 14 ? "milliseconds" : digits <= 17 ? "microseconds" : "nanoseconds";
  return { name: `Set unit to ${name}`, options: { unit: name } };
}

// zones returns fixes that add UTC or the local offset at that time.
function zones(time) {
  if (/^[A-Z]/.test(time)) return [{ name: "Add GMT", text: `${time} GMT` }];
  const list = [{ name: "Add Z for UTC", text: `${time}Z` }];
  const minutes = -new Date(time.replace(" ", "T")).getTimezoneOffset();
  if (!minutes) return list; // UTC, or a format that the browser does not parse
  const two = (n) => String(n).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return [...list, { name: `Add ${offset} (local time)`, text: time + offset }];
}

// respelled returns fixes for formats that are almost supported.
function respelled(time) {
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return [{ name: "Add midnight in UTC", text: `${time}T00:00:00Z` }];
  const bracket = /^(\d.*[Zz\d])\[[^\]]*\]$/.exec(time);
  if (bracket) return [{ name: "Remove the brackets", text: bracket[1] }];
  const space = /^(\d.*\d) +([Z+-].*)$/.exec(time);
  return space ? [{ name: "Remove the space", text: space[1] + space[2] }] : [];
}
