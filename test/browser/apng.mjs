// Joins PNG images into an animated PNG (PNG, third edition, sections 4.9 and
// 11.3.6). Their compressed data is copied unchanged.

import { crc32 } from "node:zlib";

const signature = 8; // bytes

// chunks returns a PNG's chunks as [type, data].
function chunks(png) {
  const all = [];
  for (let at = signature; at < png.length;) {
    const size = png.readUInt32BE(at);
    all.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + size)]);
    at += size + 12;
  }
  return all;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([numbers(data.length), body, numbers(crc32(body))]);
}

function numbers(...list) {
  const bytes = Buffer.alloc(4 * list.length);
  list.forEach((n, i) => bytes.writeUInt32BE(n >>> 0, 4 * i));
  return bytes;
}

// animated joins frames {png, milliseconds} of the same size and color type into
// an animation that loops forever.
export function animated(frames) {
  const first = chunks(frames[0].png);
  const header = first.find(([type]) => type === "IHDR")[1];
  let number = 0; // sequence number, shared by frames and their data
  const body = frames.flatMap(({ png, milliseconds }, i) => {
    const all = chunks(png);
    if (!all.find(([type]) => type === "IHDR")[1].equals(header)) throw new Error("the frames differ in size or kind");
    const control = Buffer.concat([numbers(number++), header.subarray(0, 8), numbers(0, 0), Buffer.alloc(6)]);
    control.writeUInt16BE(milliseconds, 20);
    control.writeUInt16BE(1000, 22);
    const data = all.filter(([type]) => type === "IDAT").map(([, bytes]) =>
      i === 0 ? chunk("IDAT", bytes) : chunk("fdAT", Buffer.concat([numbers(number++), bytes])));
    return [chunk("fcTL", control), ...data];
  });
  return Buffer.concat([frames[0].png.subarray(0, signature), chunk("IHDR", header), chunk("acTL", numbers(frames.length, 0)), ...body, chunk("IEND", Buffer.alloc(0))]);
}
