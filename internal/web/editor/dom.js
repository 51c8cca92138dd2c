// Helpers that build the page. Strings become text nodes and are never parsed as
// HTML.

export const byId = (id) => document.getElementById(id);

// el creates an element. props are attributes; names that start with "on" are event
// listeners. children are nodes or strings.
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// stored returns the localStorage value for key, or null if there is none. Browsers
// can deny a page access to its storage.
export function stored(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

// store saves a string in localStorage under key, or removes the key if the string
// is null. It reports whether the browser allowed it.
export function store(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

const status = byId("status");

// say makes a screen reader announce a string, even if it repeats the last one.
export function say(text) {
  status.textContent = status.textContent === text ? `${text}\u00a0` : text;
}

// confirmOn briefly replaces the label of a button.
export function confirmOn(button, text) {
  const label = button.dataset.label ?? button.textContent;
  button.dataset.label = label;
  button.textContent = text;
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = String(setTimeout(() => {
    button.textContent = label;
  }, 1600));
  say(text);
}

export async function copy(button, text) {
  try {
    await navigator.clipboard.writeText(text);
    confirmOn(button, "Copied");
  } catch {
    confirmOn(button, "Copying was blocked");
  }
}

export function bytes(n) {
  if (n < 1000) return count(n, "byte");
  return n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(2)} MB`;
}

export const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
