// Recipes that the person asked to keep, in this browser only. What is stored
// is read back as text from a stranger: names are shown as text, recipes go
// through the recipe's parser when they are opened.

const place = "convertd.recipes";
const most = 50;

// kept returns [{name, recipe}], the newest first.
export function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(place) ?? "[]");
    return list.filter((item) => typeof item?.name === "string" && typeof item?.recipe === "string").slice(0, most);
  } catch {
    return [];
  }
}

// keep stores a recipe under a name; it reports whether the browser let it.
export function keep(name, recipe) {
  const list = [{ name, recipe }, ...kept().filter((item) => item.name !== name)].slice(0, most);
  try {
    localStorage.setItem(place, JSON.stringify(list));
    return true;
  } catch {
    return false;
  }
}

export function forgetAll() {
  try {
    localStorage.removeItem(place);
  } catch {
    // A browser without storage has nothing to forget.
  }
}
