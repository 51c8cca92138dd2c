// Splits long lines of a large text into pieces. On each keystroke, a text area
// shapes the whole line again, which takes too long for a line of 900 KB. Each piece
// ends with an invisible character that the text does not contain, followed by a
// line break. Neither belongs to the text.

const most = 10_000; // characters of a line that is not split
const size = 1_000; // characters of a piece
const invisible = ["\u2063", "\u2062", "\u2061", "\u2064"];

// cut returns {mark, shown}, or undefined if no line needs to be split. mark is the
// character that ends each piece in shown. Neither text nor before contains it;
// before is other text in the same text area.
export function cut(text, before = "") {
  const parts = [];
  let from = 0;
  const mark = invisible.find((c) => !text.includes(c) && !before.includes(c));
  for (let start = 0; mark && start < text.length;) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    for (let at = start; end - start > most && end - at > size;) {
      at += size;
      if (/[\udc00-\udfff]/.test(text[at])) at++;
      parts.push(text.slice(from, at));
      from = at;
    }
    start = end + 1;
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(from));
  return { mark, shown: parts.join(`${mark}\n`) };
}

// whole returns the text without marks for shown or a part of it.
export const whole = (shown, mark) => (mark ? shown.replaceAll(`${mark}\n`, "").replaceAll(mark, "") : shown);

// shownAt converts an offset in the text to an offset in shown.
export function shownAt(shown, mark, offset) {
  if (!mark) return offset;
  for (let at = shown.indexOf(mark); at >= 0 && at <= offset; at = shown.indexOf(mark, at)) {
    const width = shown[at + 1] === "\n" ? 2 : 1;
    offset += width;
    at += width;
  }
  return offset;
}

// rows returns the number of pieces of each line.
export function rows(shown, mark) {
  const all = [1];
  for (let at = shown.indexOf("\n"); at >= 0; at = shown.indexOf("\n", at + 1)) {
    if (shown[at - 1] === mark) all[all.length - 1]++;
    else all.push(1);
  }
  return all;
}
