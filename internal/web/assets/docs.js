// Starts Swagger UI with the OpenAPI document that this server publishes. It sends
// no request to other hosts, because the validator badge is off.
"use strict";

const { root } = document.body.dataset;

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// Labels for the elements that Swagger UI leaves without an accessible name or a
// landmark role, by selector.
const names = {
  "#servers": "Server",
  ".examples-select-element": "Example",
  "textarea.body-param__text": "Request body",
};
const regions = { ".information-container": "About the API", ".scheme-container": "Server" };

// name adds accessible names and landmark roles. Below the single h1, Swagger UI's
// headings start at h3, so each is raised by one level.
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

// plugin replaces or wraps some of Swagger UI's components.
const plugin = ({ React: { createElement } }) => ({
  wrapComponents: {
    // A link inside the button that opens an operation is not accessible. The URL
    // still changes when an operation is opened.
    DeepLink: () => ({ text }) => createElement("span", { className: "nostyle" }, text),
    OperationSummary: (Original) => (props) => createElement("div", { className: "summary-row" },
      createElement(Original, props),
      createElement("button", {
        type: "button", className: "btn try-example", "aria-label": `Run the example of ${props.operationProps.get("operationId")}`,
        onClick: (event) => run(event.target.closest(".opblock"), props),
      }, "Run the example")),
    // Label problem examples with their code.
    ExamplesSelect: (Original) => (props) => createElement(Original, {
      ...props, examples: props.examples.map((example, name) => (example.getIn(["value", "code"]) === name ? example.set("summary", name) : example)),
    }),
    // The dozen headers repeated under every status would bury the examples.
    headers: (Original) => (props) => createElement("details", { className: "headers-of" },
      createElement("summary", null, "Headers"), createElement(Original, props)),
  },
});

// run opens an operation, sends the first example of its request body and scrolls to
// the response. Swagger UI renders the operation in stages: the Execute button
// appears before the body.
function run(operation, { isShown, toggleShown }) {
  const find = (selector) => operation.querySelector(selector);
  const watch = new MutationObserver(() => next());
  let sent = false;
  const next = () => {
    if (!sent && find(".body-param__text")?.value) {
      sent = true;
      setTimeout(() => find(".execute").click()); // after Swagger UI has stored the body
    } else if (sent && find(".live-responses-table .response")) {
      watch.disconnect();
      find(".live-responses-table").scrollIntoView({ block: "center" });
    }
  };
  watch.observe(operation, { childList: true, subtree: true });
  if (isShown) next();
  else toggleShown();
}

SwaggerUIBundle({
  plugins: [plugin],
  url: `${root}/v1/openapi.json`,
  // Send requests to the server that this page came from, even if the base URL names
  // another one.
  responseInterceptor: (response) => {
    if (response.url?.endsWith(`${root}/v1/openapi.json`)) response.text = JSON.stringify({ ...JSON.parse(response.text), servers: [{ url: root || "/" }] });
    return response;
  },
  domNode: explorer,
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  syntaxHighlight: { activated: true },
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
