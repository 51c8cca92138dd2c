// Recipes that the person asked to keep, in this browser only. What is stored
// is read back as text from a stranger: names are shown as text, recipes go
// through the recipe's parser when they are opened.

import { store, stored } from "./dom.js";

const place = "convertd.recipes";
const most = 50;

// kept returns [{name, recipe}], the newest first.
export const kept = () => listed(stored(place) ?? "[]") ?? [];

// listed reads such a list, undefined when the text is none.
function listed(text) {
  try {
    return JSON.parse(text)
      .filter((item) => typeof item?.name === "string" && typeof item?.recipe === "string" && item.name.length <= 60 && item.recipe.length <= 8192)
      .map(({ name, recipe }) => ({ name, recipe })).slice(0, most);
  } catch {
    return undefined;
  }
}

// add keeps the recipes of a file that this page wrote; it returns how many,
// undefined when the text is no such file.
export function add(text) {
  const list = listed(text);
  for (const { name, recipe } of list?.toReversed() ?? []) keep(name, recipe);
  return list?.length;
}

// keep stores a recipe under a name; it reports whether the browser let it.
export const keep = (name, recipe) => store(place, JSON.stringify([{ name, recipe }, ...kept().filter((item) => item.name !== name)].slice(0, most)));

export const forgetAll = () => store(place, null);
