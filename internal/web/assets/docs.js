// Starts Swagger UI on the served description. It asks no other host: the
// validator badge, which would, is off.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// What Swagger UI leaves without a name or a landmark, by selector.
const names = {
  "#servers": "Server",
  ".examples-select-element": "Example",
  "textarea.body-param__text": "Request body",
};
const regions = { ".information-container": "About the API", ".scheme-container": "Server" };

// name tells assistive software what is where. The headings below the one h1
// begin at the third level; each counts as one higher.
function name(explorer) {
  const missing = (selector, attribute) => explorer.querySelectorAll(`${selector}:not([${attribute}])`);
  for (const [selector, label] of Object.entries({ ...names, ...regions })) {
    for (const node of missing(selector, "aria-label")) node.setAttribute("aria-label", label);
  }
  for (const selector of Object.keys(regions)) {
    for (const node of missing(selector, "role")) node.setAttribute("role", "region");
  }
  for (const level of [3, 4, 5]) {
    for (const node of missing(`h${level}`, "aria-level")) node.setAttribute("aria-level", level - 1);
  }
}

const explorer = document.getElementById("explorer");
new MutationObserver(() => name(explorer)).observe(explorer, { childList: true, subtree: true });

SwaggerUIBundle({
  url: `${document.body.dataset.root}/v1/openapi.json`,
  domNode: explorer,
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  syntaxHighlight: { activated: true },
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
