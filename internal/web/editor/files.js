// Files that are opened and saved.

import { el } from "./dom.js";

const byName = { json: "application/json", yaml: "application/yaml", yml: "application/yaml", jwt: "application/jwt" };

// read returns the text of a file and the media type that its name implies,
// undefined when it is not UTF-8 text.
export async function read(file) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return { text, mediaType: byName[file.name.split(".").pop().toLowerCase()] };
  } catch {
    return undefined;
  }
}

// save has the browser save a text.
export function save(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
