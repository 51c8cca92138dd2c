// Starts Swagger UI on the served description. It asks no other host: the
// validator badge, which would, is off.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: "/v1/openapi.json",
  domNode: document.getElementById("explorer"),
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  syntaxHighlight: { activated: true },
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
