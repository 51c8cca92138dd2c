// Maps Alt+1, Alt+2 and so on to the current choices: the suggestions for the input
// or the fixes for a problem, whichever was set last.

let list = [];

export const most = 9;

// choose sets the functions that Alt+1, Alt+2 and so on call.
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
