// Shows how many requests are left, and why a recipe waits.

import { byId, say } from "./dom.js";

// showQuota shows what is left of the quota, {left, of}; undefined hides it.
export function showQuota(quota) {
  const node = byId("quota");
  node.hidden = !quota;
  if (!quota) return;
  node.textContent = `${quota.left} of ${quota.of} requests left`;
  node.classList.toggle("low", quota.left <= quota.of / 5);
}

// showWait shows for how many seconds the recipe waits, 0 for not at all. hard is
// whether the server rejects requests until then.
export function showWait(seconds, hard) {
  const node = byId("waiting");
  const begins = node.hidden && seconds > 0;
  node.hidden = seconds === 0;
  node.textContent = hard
    ? `No requests are left. The recipe runs again in ${seconds} s.`
    : `Few requests are left: live preview pauses for ${seconds} s. Run still works.`;
  if (begins) say(node.textContent);
}
