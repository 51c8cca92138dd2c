// Opens and saves files.

import { el } from "./dom.js";

const byName = { json: "application/json", yaml: "application/yaml", yml: "application/yaml", jwt: "application/jwt" };

// read returns the text of a file and the media type that its name implies. It
// returns undefined if the file is not UTF-8.
export async function read(file) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return { text, mediaType: byName[file.name.split(".").pop().toLowerCase()] };
  } catch {
    return undefined;
  }
}

// save downloads a string as a file.
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
