// The changes that a problem's hint asks for where the text is not at fault as
// JSON: what surrounds a token, lines of JSON, the unit of a number, the zone of a
// time.

import { recognize } from "./recognize.js";

const readLimit = 1_000_000; // characters that are read as lines of JSON

// fixes lists them, the likeliest first: {name, text} is a new input, {name,
// options} are options of the first step, undefined being none. set are those
// that it has.
export function fixes(problem, text, set = {}) {
  if (problem.status !== 422) return [];
  const bearer = /^(\s*(?:authorization:\s*)?bearer\s+)\S/i.exec(text);
  if (bearer) return [{ name: "Remove Bearer", text: text.slice(bearer[1].length) }];
  const token = problem.code === "invalid_jwt" && recognize(text);
  if (token?.value && token.value !== text) return [{ name: "Keep the token alone", text: token.value }];
  const rows = problem.code === "invalid_json" && text.length <= readLimit ? text.split("\n").map((row) => row.trim()).filter(Boolean) : [];
  if (rows.length > 1 && rows.every(sound)) return [{ name: "Put all lines into one array", text: `[\n${rows.join(",\n")}\n]\n` }];
  if (text.length > 100) return []; // no time is that long
  const time = text.trim();
  switch (problem.code) {
    case "unit_required": return [unit(time)];
    case "timestamp_out_of_range": return set.unit && unit(time).options.unit !== set.unit ? [unit(time)] : [];
    case "zone_required": return zones(time);
    case "invalid_timestamp": return set.unit && /^\d{4}-/.test(time) ? [{ name: "Leave the unit out", options: { unit: undefined } }] : respelled(time);
    default: return [];
  }
}

// sound reports whether a text is JSON.
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

// zones are UTC and what the clocks here show at that time.
function zones(time) {
  if (/^[A-Z]/.test(time)) return [{ name: "Add GMT", text: `${time} GMT` }];
  const list = [{ name: "Add Z for UTC", text: `${time}Z` }];
  const minutes = -new Date(time.replace(" ", "T")).getTimezoneOffset();
  if (!minutes) return list; // none here, or a form that the browser does not read
  const two = (n) => String(n).padStart(2, "0");
  const offset = `${minutes < 0 ? "-" : "+"}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return [...list, { name: `Add ${offset}, as here`, text: time + offset }];
}

// respelled are times in a form that is nearly read.
function respelled(time) {
  if (/^\d{4}-\d\d-\d\d$/.test(time)) return [{ name: "Add midnight in UTC", text: `${time}T00:00:00Z` }];
  const bracket = /^(\d.*[Zz\d])\[[^\]]*\]$/.exec(time);
  if (bracket) return [{ name: "Remove the brackets", text: bracket[1] }];
  const space = /^(\d.*\d) +([Z+-].*)$/.exec(time);
  return space ? [{ name: "Remove the space", text: space[1] + space[2] }] : [];
}
