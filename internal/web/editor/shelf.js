// Recipes that the user saved, in this browser only. What is stored is untrusted:
// names are shown as text, recipes are parsed when they are opened.

import { store, stored } from "./dom.js";

const place = "convertd.recipes";
const most = 50;

// kept returns [{name, recipe}], the newest first.
export const kept = () => listed(stored(place) ?? "[]") ?? [];

// listed parses such a list; it returns undefined for any other text.
function listed(text) {
  try {
    return JSON.parse(text)
      .filter((item) => typeof item?.name === "string" && typeof item?.recipe === "string" && item.name.length <= 60 && item.recipe.length <= 8192)
      .map(({ name, recipe }) => ({ name, recipe })).slice(0, most);
  } catch {
    return undefined;
  }
}

// add saves the recipes of an exported file and returns how many there were,
// undefined for any other file.
export function add(text) {
  const list = listed(text);
  for (const { name, recipe } of list?.toReversed() ?? []) keep(name, recipe);
  return list?.length;
}

// keep saves a recipe under a name and reports whether the browser allowed it.
export const keep = (name, recipe) => store(place, JSON.stringify([{ name, recipe }, ...kept().filter((item) => item.name !== name)].slice(0, most)));

export const forgetAll = () => store(place, null);
