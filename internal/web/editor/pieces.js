// A long line of a large text is shown in pieces: a text area shapes a whole
// line anew at each key, which for one of 900 KB takes longer than people wait.
// Each piece ends with an invisible character that the text does not have, and a
// line break; neither belongs to the text.

const most = 10_000; // characters of a line that stays in one piece
const size = 1_000; // characters of a piece
const invisible = ["\u2063", "\u2062", "\u2061", "\u2064"];

// cut returns {mark, shown}, undefined where nothing is to be cut: mark ends the
// pieces of shown, and neither text nor before, an other text in the same text
// area, has it.
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

// whole is the text of what is shown, or of a part of it.
export const whole = (shown, mark) => (mark ? shown.replaceAll(`${mark}\n`, "").replaceAll(mark, "") : shown);

// shownAt is where an offset of the text lies in what is shown.
export function shownAt(shown, mark, offset) {
  if (!mark) return offset;
  for (let at = shown.indexOf(mark); at >= 0 && at <= offset; at = shown.indexOf(mark, at)) {
    const width = shown[at + 1] === "\n" ? 2 : 1;
    offset += width;
    at += width;
  }
  return offset;
}

// rows is how many pieces each line of the text has.
export function rows(shown, mark) {
  const all = [1];
  for (let at = shown.indexOf("\n"); at >= 0; at = shown.indexOf("\n", at + 1)) {
    if (shown[at - 1] === mark) all[all.length - 1]++;
    else all.push(1);
  }
  return all;
}
