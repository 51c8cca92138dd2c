// Shows the number of remaining requests, and why a recipe is waiting.

import { byId, say } from "./dom.js";

// showQuota shows the remaining quota, {left, of}, or hides it if quota is
// undefined.
export function showQuota(quota) {
  const node = byId("quota");
  node.hidden = !quota;
  if (!quota) return;
  node.textContent = `${quota.left} of ${quota.of} requests left`;
  node.classList.toggle("low", quota.left <= quota.of / 5);
}

// showWait shows how many seconds the recipe waits; 0 hides it. hard reports whether
// the server rejects requests until then.
export function showWait(seconds, hard) {
  const node = byId("waiting");
  const begins = node.hidden && seconds > 0;
  node.hidden = seconds === 0;
  node.textContent = hard
    ? `No requests are left. The recipe runs again in ${seconds} s.`
    : `Few requests are left: live preview pauses for ${seconds} s. Run still works.`;
  if (begins) say(node.textContent);
}
