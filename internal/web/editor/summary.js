// Counts the operations, folders and servers of an API source.

import { count } from "./dom.js";
import { outline } from "./outline.js";

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

// summary summarizes an OpenAPI document, a collection or an HTTP archive in a few words. It returns
// "" for any other source.
export function summary(text, mediaType) {
  if (text.length > 2_000_000) return "";
  const top = outline(text, mediaType);
  const member = (node, name) => node?.children?.find((child) => child.name === name);
  const size = (node) => node?.children?.length ?? 0;
  const value = (node) => (node ? text.slice(node.start, node.end).trim().replace(/^["']|["']$/g, "") : "");
  const paths = member(top, "paths");
  if (paths) {
    const version = value(member(top, "openapi")) || value(member(top, "swagger"));
    const operations = (paths.children ?? []).reduce((sum, path) => sum + (path.children ?? []).filter(({ name }) => methods.has(name)).length, 0);
    const parts = [count(operations, "operation"), `${count(size(paths), "path")}`];
    const servers = size(member(top, "servers"));
    if (servers > 0) parts.push(count(servers, "server"));
    const schemas = size(member(member(top, "components"), "schemas")) || size(member(top, "definitions"));
    if (schemas > 0) parts.push(count(schemas, "schema"));
    return `${member(top, "swagger") ? "Swagger" : "OpenAPI"} ${version.slice(0, 12)}: ${parts.join(", ")}`;
  }
  const items = member(top, "item");
  if (items && member(top, "info")) {
    let requests = 0;
    let folders = 0;
    const open = [items]; // a stack instead of recursion, because folders can be nested to any depth
    while (open.length > 0) {
      for (const item of open.pop().children ?? []) {
        const inner = member(item, "item");
        if (!inner) requests++;
        else {
          folders++;
          open.push(inner);
        }
      }
    }
    return `Postman collection: ${count(requests, "request")}, ${count(folders, "folder")}, ${count(size(member(top, "variable")), "variable")}`;
  }
  const entries = member(member(top, "log"), "entries");
  if (entries?.kind === "array") {
    const hosts = new Set(entries.children.map((entry) => /^https?:\\?\/\\?\/([^/?#\\]+)/i.exec(value(member(member(entry, "request"), "url")))?.[1].toLowerCase()));
    hosts.delete(undefined);
    return `HTTP archive: ${count(size(entries), "request")} to ${count(hosts.size, "host")}`;
  }
  return "";
}

// commands returns how many curl commands a shell source seems to contain.
export function commands(text) {
  const n = text.match(/(?:^|[\n;&|(])[ \t]*(?:\$ )?curl(?:\.exe)?(?=[\s^])/g)?.length ?? 0;
  return n > 0 ? count(n, "curl command") : "";
}
