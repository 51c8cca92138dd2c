// What differs between two texts, line by line: the shortest list of lines
// taken out and put in (Myers, 1986), as far as a budget of steps allows; what
// is not compared within it is shown as replaced.

const budget = 500_000; // steps of comparison; the trace of the way holds as many numbers

// diff returns [{kind, text, a, b}] in order: kind is same, out or in; a and b
// are the numbers of the line in either text.
export function diff(before, after) {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  const all = [];
  const same = (i, j) => all.push({ kind: "same", text: a[i], a: i + 1, b: j + 1 });
  for (let i = 0; i < head; i++) same(i, i);
  for (const [kind, i, j] of middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail))) {
    if (kind === "same") same(head + i, head + j);
    else if (kind === "out") all.push({ kind, text: a[head + i], a: head + i + 1 });
    else all.push({ kind, text: b[head + j], b: head + j + 1 });
  }
  for (let i = a.length - tail, j = b.length - tail; i < a.length; i++, j++) same(i, j);
  return all;
}

// middle compares two lists that differ at both ends.
function middle(a, b) {
  const path = shortest(a, b);
  if (!path) return [...a.map((_, i) => ["out", i]), ...b.map((_, j) => ["in", 0, j])];
  return path;
}

// shortest is the greedy algorithm with its trace of furthest points; undefined
// when the budget is spent.
function shortest(a, b) {
  const most = a.length + b.length;
  const trace = [];
  let furthest = new Map([[1, 0]]);
  let spent = 0;
  for (let d = 0; d <= most; d++) {
    trace.push(new Map(furthest));
    spent += 2 * d + 1;
    if (spent > budget) return undefined;
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest.get(k - 1) < furthest.get(k + 1));
      let x = down ? furthest.get(k + 1) : furthest.get(k - 1) + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
        spent++;
      }
      furthest.set(k, x);
      if (x >= a.length && y >= b.length) return walk(trace, a.length, b.length);
    }
  }
  return undefined;
}

// walk reads the way back from the end.
function walk(trace, x, y) {
  const path = [];
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = trace[d];
    const k = x - y;
    const down = k === -d || (k !== d && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const from = down ? k + 1 : k - 1;
    const fromX = furthest.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) path.push(["same", --x, --y]);
    if (d === 0) break;
    if (down) path.push(["in", x, --y]);
    else path.push(["out", --x, y]);
    x = fromX;
    y = fromY;
  }
  return path.reverse();
}

// onlySpace reports whether two texts differ in white space alone.
export const onlySpace = (before, after) => before !== after && before.replace(/\s+/g, "") === after.replace(/\s+/g, "");
