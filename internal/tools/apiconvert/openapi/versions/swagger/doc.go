// Package swagger converts between the structure of Swagger 2.0 and that of OpenAPI 3.0: body and form parameters and
// request bodies, produces and content, definitions and components, host and servers.
//
//	parameters: [{in: body, schema: …}]  ↔  requestBody: {content: {…: {schema: …}}}
//
// Upgrade (swagger.go, swagger_part.go) runs before the step to OpenAPI 3, and Downgrade (toswagger.go,
// toswagger_part.go, toswagger_content.go) after the step from it. Those steps convert the schemas. A part that exists
// in both versions is moved, not copied, so that references can follow it. MoveBodies (swagger.go) serves documents of
// OpenAPI 3 whose authors mixed the two.
package swagger
