// Saves the user's recipes, in this browser only. Stored data is untrusted: names
// are shown as plain text, and recipes are parsed when they are opened.

import { store, stored } from "./dom.js";

const place = "convertd.recipes";
const most = 50;

// kept returns [{name, recipe}], newest first.
export const kept = () => listed(stored(place) ?? "[]") ?? [];

// listed parses a list of saved recipes. It returns undefined if the string is not
// such a list.
function listed(text) {
  try {
    return JSON.parse(text)
      .filter((item) => typeof item?.name === "string" && typeof item?.recipe === "string" && item.name.length <= 60 && item.recipe.length <= 8192)
      .map(({ name, recipe }) => ({ name, recipe })).slice(0, most);
  } catch {
    return undefined;
  }
}

// add saves the recipes of an exported file and returns how many there were. It
// returns undefined if the file is not an export.
export function add(text) {
  const list = listed(text);
  for (const { name, recipe } of list?.toReversed() ?? []) keep(name, recipe);
  return list?.length;
}

// keep saves a recipe under a name and reports whether the browser allowed it.
export const keep = (name, recipe) => store(place, JSON.stringify([{ name, recipe }, ...kept().filter((item) => item.name !== name)].slice(0, most)));

export const forgetAll = () => store(place, null);
