// What can be chosen by Alt and a digit: the offers for a text, or the changes
// that a problem's hint asks for. The last list that was set holds.

let list = [];

export const most = 9;

// choose sets the functions that Alt 1, Alt 2 … call; [] is none.
export function choose(acts) {
  list = acts.slice(0, most);
}

addEventListener("keydown", (event) => {
  const digit = /^Digit([1-9])$/.exec(event.code);
  const chosen = event.altKey && !event.ctrlKey && !event.metaKey && digit && list[digit[1] - 1];
  if (!chosen) return;
  event.preventDefault();
  chosen();
});
