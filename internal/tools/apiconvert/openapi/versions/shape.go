package versions

import "github.com/convertd/convertd/internal/tools/apiconvert/warning"

// kind is what an object of a description is, as its place says: a rewrite
// touches a schema only where the version's specification has a schema.
type kind uint8

const (
	anything kind = iota // data and extensions: never looked into
	text
	number
	flag
	document
	info
	license
	contact
	server
	serverVariable
	components
	paths
	pathItem
	operation
	parameter
	header
	requestBody
	mediaType
	encoding
	responses
	response
	example
	link
	callback
	tag
	externalDocs
	securityScheme
	oauthFlows
	oauthFlow
	schema
	schemaOrFlag
	schemaList // one schema, or a list of them (items of JSON Schema before 2020-12)
	discriminator
	xml
	document20
	paths20
	pathItem20
	operation20
	parameter20
	items20
	responses20
	response20
	security20
	kinds
)

// container says how the values of a kind stand in a member.
type container uint8

const (
	one   container = iota
	list            // an array of them
	named           // an object, the names being the author's
)

// member is a member that objects of a kind have.
type member struct {
	of    kind
	in    container
	since Version         // the first version that has it, Unknown for all
	lost  warning.Feature // told when it is left out for an older version
}

// shape is what a kind of object has. Members that neither it nor an extension
// (x-…) names are left out and told, unless it is open.
type shape struct {
	members map[string]member
	rest    kind    // of all members beside those named, if not anything
	open    Version // the first version in which it may have any other member
}

// shapes hold OpenAPI 3.0 to 3.2 and, under names of their own, Swagger 2.0.
// A member that a version lacks and has nothing in place of is named here only.
var shapes = [kinds]shape{
	document: {members: map[string]member{
		"openapi":           {of: text},
		"$self":             {of: text, since: V32, lost: warning.SelfAddress},
		"info":              {of: info},
		"jsonSchemaDialect": {of: text, since: V31, lost: warning.SchemaDialect},
		"servers":           {of: server, in: list},
		"paths":             {of: paths},
		"webhooks":          {of: pathItem, in: named, since: V31, lost: warning.Webhooks},
		"components":        {of: components},
		"security":          {in: list},
		"tags":              {of: tag, in: list},
		"externalDocs":      {of: externalDocs},
	}},
	info: {members: map[string]member{
		"title": {of: text}, "description": {of: text}, "termsOfService": {of: text},
		"contact": {of: contact}, "license": {of: license}, "version": {of: text},
		"summary": {of: text, since: V31, lost: warning.Summary},
	}},
	contact: {members: map[string]member{"name": {of: text}, "url": {of: text}, "email": {of: text}}},
	license: {members: map[string]member{
		"name": {of: text}, "url": {of: text},
		"identifier": {of: text, since: V31, lost: warning.LicenseIdentifier},
	}},
	server: {members: map[string]member{
		"url": {of: text}, "variables": {of: serverVariable, in: named},
		"description": {of: text, since: V30, lost: warning.ServerTexts},
		"name":        {of: text, since: V32, lost: warning.ServerNames},
	}},
	serverVariable: {members: map[string]member{
		"enum": {of: text, in: list}, "default": {of: text}, "description": {of: text},
	}},
	components: {members: map[string]member{
		"schemas":         {of: schema, in: named},
		"responses":       {of: response, in: named},
		"parameters":      {of: parameter, in: named},
		"examples":        {of: example, in: named},
		"requestBodies":   {of: requestBody, in: named},
		"headers":         {of: header, in: named},
		"securitySchemes": {of: securityScheme, in: named},
		"links":           {of: link, in: named, since: V30, lost: warning.Links},
		"callbacks":       {of: callback, in: named, since: V30, lost: warning.Callbacks},
		"pathItems":       {of: pathItem, in: named, since: V31, lost: warning.PathItems},
		"mediaTypes":      {of: mediaType, in: named, since: V32},
	}},
	paths: {rest: pathItem},
	pathItem: {members: map[string]member{
		"$ref": {of: text},
		"get":  {of: operation}, "put": {of: operation}, "post": {of: operation}, "delete": {of: operation},
		"options": {of: operation}, "head": {of: operation}, "patch": {of: operation},
		"summary":              {of: text, since: V30, lost: warning.PathTexts},
		"description":          {of: text, since: V30, lost: warning.PathTexts},
		"trace":                {of: operation, since: V30, lost: warning.AdditionalOperations},
		"query":                {of: operation, since: V32, lost: warning.AdditionalOperations},
		"additionalOperations": {of: operation, in: named, since: V32, lost: warning.AdditionalOperations},
		"servers":              {of: server, in: list},
		"parameters":           {of: parameter, in: list},
	}},
	operation: {members: map[string]member{
		"tags": {of: text, in: list}, "summary": {of: text}, "description": {of: text},
		"externalDocs": {of: externalDocs}, "operationId": {of: text},
		"parameters": {of: parameter, in: list}, "requestBody": {of: requestBody}, "responses": {of: responses},
		"deprecated": {of: flag}, "security": {in: list}, "servers": {of: server, in: list},
		"callbacks": {of: callback, in: named, since: V30, lost: warning.Callbacks},
	}},
	parameter: {members: map[string]member{
		"name": {of: text}, "in": {of: text}, "description": {of: text}, "required": {of: flag},
		"allowEmptyValue": {of: flag}, "style": {of: text}, "explode": {of: flag}, "schema": {of: schema}, "example": {}, "examples": {of: example, in: named},
		"content":       {of: mediaType, in: named},
		"deprecated":    {of: flag, since: V30, lost: warning.Deprecated},
		"allowReserved": {of: flag, since: V30, lost: warning.ParameterStyle},
	}},
	header: {members: map[string]member{
		"description": {of: text}, "style": {of: text}, "explode": {of: flag}, "schema": {of: schema},
		"example": {}, "examples": {of: example, in: named}, "content": {of: mediaType, in: named},
		"required":   {of: flag, since: V30, lost: warning.UnknownMembers},
		"deprecated": {of: flag, since: V30, lost: warning.Deprecated},
	}},
	requestBody: {members: map[string]member{
		"description": {of: text}, "content": {of: mediaType, in: named}, "required": {of: flag},
	}},
	mediaType: {members: map[string]member{
		"schema": {of: schema}, "example": {}, "examples": {of: example, in: named},
		"encoding":       {of: encoding, in: named},
		"itemSchema":     {of: schema, since: V32, lost: warning.Streaming},
		"prefixEncoding": {of: encoding, in: list, since: V32, lost: warning.Encoding},
		"itemEncoding":   {of: encoding, since: V32, lost: warning.Encoding},
	}},
	encoding: {members: map[string]member{
		"contentType": {of: text}, "headers": {of: header, in: named}, "style": {of: text},
		"explode": {of: flag}, "allowReserved": {of: flag},
		"encoding":       {of: encoding, in: named, since: V32, lost: warning.Encoding},
		"prefixEncoding": {of: encoding, in: list, since: V32, lost: warning.Encoding},
		"itemEncoding":   {of: encoding, since: V32, lost: warning.Encoding},
	}},
	responses: {rest: response},
	response: {members: map[string]member{
		"description": {of: text}, "headers": {of: header, in: named}, "content": {of: mediaType, in: named},
		"links":   {of: link, in: named, since: V30, lost: warning.Links},
		"summary": {of: text, since: V32, lost: warning.Summary},
	}},
	example: {members: map[string]member{
		"summary": {of: text}, "description": {of: text}, "value": {}, "externalValue": {of: text},
		"dataValue":       {since: V32, lost: warning.SerializedExamples},
		"serializedValue": {of: text, since: V32, lost: warning.SerializedExamples},
	}},
	link: {members: map[string]member{
		"operationRef": {of: text}, "operationId": {of: text}, "parameters": {in: named},
		"requestBody": {}, "description": {of: text}, "server": {of: server},
	}},
	callback: {rest: pathItem},
	tag: {members: map[string]member{
		"name": {of: text}, "description": {of: text}, "externalDocs": {of: externalDocs},
		"summary": {of: text, since: V32, lost: warning.Summary},
		"parent":  {of: text, since: V32, lost: warning.TagHierarchy},
		"kind":    {of: text, since: V32, lost: warning.TagHierarchy},
	}},
	externalDocs: {members: map[string]member{"description": {of: text}, "url": {of: text}}},
	securityScheme: {members: map[string]member{
		"type": {of: text}, "description": {of: text}, "name": {of: text}, "in": {of: text}, "scheme": {of: text},
		"bearerFormat": {of: text}, "flows": {of: oauthFlows}, "openIdConnectUrl": {of: text},
		"oauth2MetadataUrl": {of: text, since: V32, lost: warning.AuthDetails},
		"deprecated":        {of: flag, since: V32, lost: warning.Deprecated},
	}},
	oauthFlows: {members: map[string]member{
		"implicit": {of: oauthFlow}, "password": {of: oauthFlow}, "clientCredentials": {of: oauthFlow},
		"authorizationCode":   {of: oauthFlow},
		"deviceAuthorization": {of: oauthFlow, since: V32, lost: warning.DeviceFlow},
	}},
	oauthFlow: {members: map[string]member{
		"authorizationUrl": {of: text}, "tokenUrl": {of: text},
		"refreshUrl":             {of: text, since: V30, lost: warning.AuthDetails},
		"scopes":                 {of: text, in: named},
		"deviceAuthorizationUrl": {of: text, since: V32, lost: warning.DeviceFlow},
	}},
	schema: {open: V31, members: map[string]member{
		"$ref": {of: text}, "title": {of: text}, "description": {of: text}, "format": {of: text},
		"multipleOf": {of: number}, "maximum": {of: number}, "minimum": {of: number},
		"exclusiveMaximum": {}, "exclusiveMinimum": {},
		"maxLength": {of: number}, "minLength": {of: number}, "pattern": {of: text},
		"maxItems": {of: number}, "minItems": {of: number}, "uniqueItems": {of: flag},
		"maxProperties": {of: number}, "minProperties": {of: number}, "required": {of: text, in: list},
		"enum": {in: list}, "type": {}, "default": {}, "example": {}, "nullable": {of: flag},
		"readOnly": {of: flag}, "allOf": {of: schema, in: list}, "items": {of: schemaList}, "properties": {of: schema, in: named},
		"additionalProperties": {of: schemaOrFlag},
		"discriminator":        {of: discriminator}, "xml": {of: xml}, "externalDocs": {of: externalDocs},

		"writeOnly":  {of: flag, since: V30, lost: warning.WriteOnly},
		"deprecated": {of: flag, since: V30, lost: warning.Deprecated},
		"oneOf":      {of: schema, in: list, since: V30, lost: warning.SchemaAlternatives},
		"anyOf":      {of: schema, in: list, since: V30, lost: warning.SchemaAlternatives},
		"not":        {of: schema, since: V30, lost: warning.SchemaKeywords},

		"const": {since: V31, lost: warning.SchemaKeywords}, "examples": {since: V31, lost: warning.Examples},
		"$id": {since: V31}, "$schema": {since: V31}, "$anchor": {since: V31}, "$dynamicAnchor": {since: V31},
		"$dynamicRef":           {of: text, since: V31, lost: warning.SchemaKeywords},
		"$comment":              {since: V31, lost: warning.SchemaKeywords},
		"$vocabulary":           {since: V31, lost: warning.SchemaKeywords},
		"$defs":                 {of: schema, in: named, since: V31},
		"definitions":           {of: schema, in: named, since: V31},
		"if":                    {of: schema, since: V31, lost: warning.ConditionalSchema},
		"then":                  {of: schema, since: V31, lost: warning.ConditionalSchema},
		"else":                  {of: schema, since: V31, lost: warning.ConditionalSchema},
		"prefixItems":           {of: schema, in: list, since: V31, lost: warning.TupleItems},
		"contains":              {of: schema, since: V31, lost: warning.SchemaKeywords},
		"minContains":           {since: V31, lost: warning.SchemaKeywords},
		"maxContains":           {since: V31, lost: warning.SchemaKeywords},
		"patternProperties":     {of: schema, in: named, since: V31, lost: warning.SchemaKeywords},
		"propertyNames":         {of: schema, since: V31, lost: warning.SchemaKeywords},
		"dependentRequired":     {since: V31, lost: warning.SchemaKeywords},
		"dependentSchemas":      {of: schema, in: named, since: V31, lost: warning.SchemaKeywords},
		"unevaluatedItems":      {of: schema, since: V31, lost: warning.SchemaKeywords},
		"unevaluatedProperties": {of: schema, since: V31, lost: warning.SchemaKeywords},
		"contentEncoding":       {of: text, since: V31, lost: warning.SchemaKeywords},
		"contentMediaType":      {of: text, since: V31, lost: warning.SchemaKeywords},
		"contentSchema":         {of: schema, since: V31, lost: warning.SchemaKeywords},
	}},
	discriminator: {members: map[string]member{
		"propertyName":   {of: text},
		"mapping":        {of: text, in: named, since: V30, lost: warning.DiscriminatorMapping},
		"defaultMapping": {of: text, since: V32, lost: warning.DefaultMapping},
	}},
	xml: {members: map[string]member{
		"name": {of: text}, "namespace": {of: text}, "prefix": {of: text}, "attribute": {of: flag},
		"wrapped":  {of: flag},
		"nodeType": {of: text, since: V32, lost: warning.XMLNodes},
	}},

	document20: {members: map[string]member{
		"swagger": {of: text}, "info": {of: info}, "host": {of: text}, "basePath": {of: text},
		"schemes": {of: text, in: list}, "consumes": {of: text, in: list}, "produces": {of: text, in: list},
		"paths": {of: paths20}, "definitions": {of: schema, in: named}, "parameters": {of: parameter20, in: named},
		"responses": {of: response20, in: named}, "securityDefinitions": {of: security20, in: named},
		"security": {in: list}, "tags": {of: tag, in: list}, "externalDocs": {of: externalDocs},
	}},
	paths20: {rest: pathItem20},
	pathItem20: {members: map[string]member{
		"$ref": {of: text}, "get": {of: operation20}, "put": {of: operation20}, "post": {of: operation20},
		"delete": {of: operation20}, "options": {of: operation20}, "head": {of: operation20},
		"patch": {of: operation20}, "parameters": {of: parameter20, in: list},
	}},
	operation20: {members: map[string]member{
		"tags": {of: text, in: list}, "summary": {of: text}, "description": {of: text},
		"externalDocs": {of: externalDocs}, "operationId": {of: text}, "consumes": {of: text, in: list},
		"produces": {of: text, in: list}, "parameters": {of: parameter20, in: list}, "responses": {of: responses20},
		"schemes": {of: text, in: list}, "deprecated": {of: flag}, "security": {in: list},
	}},
	parameter20: {members: map[string]member{
		"name": {of: text}, "in": {of: text}, "description": {of: text}, "required": {of: flag},
		"schema": {of: schema}, "items": {of: items20},
	}},
	responses20: {rest: response20},
	response20: {members: map[string]member{
		"description": {of: text}, "schema": {of: schema}, "headers": {of: items20, in: named}, "examples": {in: named},
	}},
	items20:    {members: map[string]member{"items": {of: items20}}},
	security20: {members: map[string]member{"scopes": {of: text, in: named}}},
}

// leaf reports whether nothing of a kind is below.
func (k kind) leaf() bool {
	switch k {
	case anything, text, number, flag:
		return true
	}
	return false
}

// referable reports whether an object with $ref may stand in place of one of
// the kind. A path item's and a schema's $ref may have other members beside it.
func (k kind) referable() bool {
	switch k {
	case schema, schemaOrFlag, parameter, parameter20, header, requestBody, response, response20, example, link,
		callback, securityScheme, pathItem, pathItem20, mediaType:
		return true
	}
	return false
}

// section is the member of components that holds objects of the kind, "" if
// there is none.
func (k kind) section() string {
	switch k {
	case schema, schemaOrFlag:
		return "schemas"
	case parameter, parameter20:
		return "parameters"
	case header:
		return "headers"
	case requestBody:
		return "requestBodies"
	case response, response20:
		return "responses"
	case example:
		return "examples"
	case link:
		return "links"
	case callback:
		return "callbacks"
	case securityScheme:
		return "securitySchemes"
	}
	return ""
}
