// Compares two strings line by line. It finds the shortest edit script (Myers, 1986)
// within a budget of steps. If the budget is exceeded, the remaining lines are shown
// as replaced.

const budget = 1_000_000; // comparison steps; the trace holds about as many numbers

// diff returns [{kind, text, a, b}] in order. kind is same, out or in. a and b are
// the line numbers in before and after.
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

// middle compares two lists whose first items differ and whose last items differ.
function middle(a, b) {
  const path = shortest(a, b);
  if (!path) return [...a.map((_, i) => ["out", i]), ...b.map((_, j) => ["in", 0, j])];
  return path;
}

// shortest runs the greedy algorithm. Its trace has one array of furthest points per
// number of edits. It returns undefined if the budget is exceeded.
function shortest(a, b) {
  const most = Math.min(a.length + b.length, Math.floor(Math.sqrt(budget)));
  const middle = most + 1; // the index of diagonal 0
  const furthest = new Int32Array(2 * most + 3);
  const trace = [];
  let left = budget;
  for (let d = 0; d <= most; d++) {
    trace.push(furthest.slice(middle - d - 1, middle + d + 2));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[middle + k - 1] < furthest[middle + k + 1]);
      let x = down ? furthest[middle + k + 1] : furthest[middle + k - 1] + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
        left--;
      }
      furthest[middle + k] = x;
      if (x >= a.length && y >= b.length) return walk(trace, a.length, b.length);
    }
    if (left < 0) return undefined;
  }
  return undefined;
}

// walk follows the trace back from the end.
function walk(trace, x, y) {
  const path = [];
  for (let d = trace.length - 1; d >= 0; d--) {
    const furthest = (k) => trace[d][k + d + 1];
    const k = x - y;
    const down = k === -d || (k !== d && furthest(k - 1) < furthest(k + 1));
    const from = down ? k + 1 : k - 1;
    const fromX = d === 0 ? 0 : furthest(from);
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

// onlySpace reports whether two strings differ only in white space.
export const onlySpace = (before, after) => before !== after && before.replace(/\s+/g, "") === after.replace(/\s+/g, "");
