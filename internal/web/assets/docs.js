// Starts Swagger UI with the served OpenAPI document. It makes no request to
// another host: the validator badge is off.
"use strict";

const { root } = document.body.dataset;

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

// house is what we put in the place of Swagger UI's own components.
const house = ({ React: { createElement } }) => ({
  wrapComponents: {
    // A link within the button that opens an operation could be reached by
    // neither; the address follows what is opened all the same.
    DeepLink: () => ({ text }) => createElement("span", { className: "nostyle" }, text),
    OperationSummary: (Original) => (props) => createElement("div", { className: "summary-row" },
      createElement(Original, props),
      createElement("button", {
        type: "button", className: "btn try-example", "aria-label": `Run the example of ${props.operationProps.get("operationId")}`,
        onClick: (event) => run(event.target.closest(".opblock"), props),
      }, "Run the example")),
    // Problems are chosen by their code.
    ExamplesSelect: (Original) => (props) => createElement(Original, {
      ...props, examples: props.examples.map((example, name) => (example.getIn(["value", "code"]) === name ? example.set("summary", name) : example)),
    }),
    // The same dozen lines under each status would bury the examples.
    headers: (Original) => (props) => createElement("details", { className: "headers-of" },
      createElement("summary", null, "Headers"), createElement(Original, props)),
  },
});

// run opens an operation, sends the example that its body begins with and shows
// the answer. What is opened is drawn bit by bit: the button comes before the
// body that it sends.
function run(operation, { isShown, toggleShown }) {
  const find = (selector) => operation.querySelector(selector);
  const watch = new MutationObserver(() => next());
  let sent = false;
  const next = () => {
    if (!sent && find(".body-param__text")?.value) {
      sent = true;
      setTimeout(() => find(".execute").click()); // when the body is noted
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
  plugins: [house],
  url: `${root}/v1/openapi.json`,
  // Requests go to the server that this page came from, whatever its base URL is.
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
