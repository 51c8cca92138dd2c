package warning

// Warnings about conversions between OpenAPI versions.
var (
	AdditionalOperations = Feature{"lost.additional_operations", "The target cannot express operations with other methods; they were dropped."}
	SchemaDialect        = Feature{"lost.schema_dialect", "The target cannot declare a JSON Schema dialect."}
	SchemaKeywords       = Feature{"lost.keyword", "Schema keywords that the target does not define were dropped; without those that restrict values, the schema is wider."}
	BooleanSchema        = Feature{"changed.boolean_schema", "Schemas that are true or false are written as objects."}
	ConditionalSchema    = Feature{"lost.conditional_schema", "The target cannot express if, then and else; they were dropped, and the schema is wider."}
	TupleItems           = Feature{"changed.tuple_items", "Items with a schema per position may have any of these schemas; the schema is wider, and narrower if it allowed any items after them."}
	TypeList             = Feature{"changed.type_list", "Lists of types are written as alternatives."}
	Examples             = Feature{"lost.examples", "The target supports one example here; only the first was kept."}
	PathItems            = Feature{"changed.path_items", "Reusable path items were copied to where they are used."}
	MutualTLS            = Feature{"lost.mutual_tls", "The target cannot express authentication by client certificate."}
	LicenseIdentifier    = Feature{"changed.license_identifier", "The license identifier is written as a URL."}
	SummaryMoved         = Feature{"changed.summary", "The target has no summary here; it is written as the description."}
	PatternProperties    = Feature{"changed.pattern_properties", "Schemas of patternProperties are written as additionalProperties, whatever the name; the schema is wider, and narrower if it allowed anything under other names."}
	Nullable             = Feature{"changed.nullable", "nullable means what authors and tools expect: null is allowed whatever an enum, allOf or a reference says. By the letter of OpenAPI 3.0, which ignores nullable there, the schema is wider or narrower."}
	SchemaType           = Feature{"changed.schema_type", "Types that OpenAPI does not define were replaced by those that were probably meant."}
	BodyParameters       = Feature{"changed.body_parameter", "Parameters in body and formData, which only Swagger 2.0 has, are written as the request body."}
	ReferenceSiblings    = Feature{"lost.reference_siblings", "Keywords next to a reference, which OpenAPI 3.0 and Swagger 2.0 ignore, were dropped."}
	DynamicReference     = Feature{"changed.dynamic_reference", "Dynamic references are written as plain references; where another schema defines their anchor again, the schema is wider or narrower."}
	AddedPathParameter   = Feature{"added.path_parameter", "Undeclared path parameters were added as strings."}
	AddedServerDefault   = Feature{"added.server_default", "Server variables without a default were given one."}
	AddedInfo            = Feature{"added.info", "The source has no title or version, which OpenAPI requires; defaults were added."}
	AddedResponse        = Feature{"added.response", "Operations without responses were given a default response."}
	Summary              = Feature{"lost.summary", "The target cannot express the summary; it was dropped."}
	CollectionFormat     = Feature{"lost.collection_format", "The target has no equivalent for the collection format."}
	TagHierarchy         = Feature{"lost.tag_hierarchy", "The target cannot express parents and kinds of tags."}
	QueryString          = Feature{"lost.query_string", "The target cannot express a parameter that is the whole query string."}
	Streaming            = Feature{"changed.item_schema", "The schema of a stream's items is written as the schema of a list."}
	DeviceFlow           = Feature{"lost.device_flow", "The target cannot express the OAuth 2.0 device flow."}
	SelfAddress          = Feature{"lost.self", "The target cannot express the document's own URL ($self)."}
	UnknownMembers       = Feature{"lost.unknown_members", "Properties that the target does not define were dropped."}
	ServerNames          = Feature{"lost.server_names", "The target cannot express the names of servers."}
	SerializedExamples   = Feature{"lost.serialized_examples", "Examples given both as data and in serialized form were kept in one form."}
	DefaultMapping       = Feature{"lost.default_mapping", "The target cannot express the default mapping of a discriminator."}
	XMLNodes             = Feature{"lost.xml_nodes", "The target cannot express XML node types."}
	ReferenceTexts       = Feature{"lost.reference_texts", "The target cannot express a summary or description next to a reference."}
	ExternalKept         = Feature{"changed.external_operations", "Other files are not read, so only the references to these operations were kept. Bundle the document first."}
	RemoteKept           = Feature{"changed.remote_reference", "References to other documents are not fetched. They were kept, and the other documents may have another version."}
	Schemes              = Feature{"lost.schemes", "The target cannot express the protocols of one operation without a host; they were dropped."}
	AllowEmptyValue      = Feature{"lost.allow_empty_value", "The target has allowEmptyValue for query parameters only."}
	UnusedParameters     = Feature{"lost.unused_parameters", "The target cannot express form parameters that no operation uses; they were dropped."}
	FileFormMediaType    = Feature{"changed.form_media_type", "Forms with files are written as multipart/form-data, the only form that can hold files."}
	TooManyCopies        = Feature{"lost.copies", "A part is used so often that later uses were dropped."}

	// For Swagger 2.0 as the target.
	ServerTexts          = Feature{"lost.server_texts", "The target cannot express the descriptions of servers."}
	PathTexts            = Feature{"lost.path_texts", "The target cannot express the summary and description of a path."}
	WriteOnly            = Feature{"lost.write_only", "The target cannot express writeOnly."}
	SchemaAlternatives   = Feature{"lost.schema_alternatives", "The target cannot express alternatives of a schema (oneOf, anyOf, several types, a discriminator without its property); the schema is wider."}
	DiscriminatorMapping = Feature{"lost.discriminator_mapping", "The target cannot map the values of a discriminator; they are names of schemas."}
	CookieParameters     = Feature{"lost.cookie_parameters", "The target cannot express cookie parameters; they were dropped."}
	ObjectParameter      = Feature{"changed.object_parameter", "Parameters that are objects are written as one parameter per property."}
	ParameterAsText      = Feature{"changed.parameter_text", "Parameters and headers other than plain values and lists of them are written as strings; their schema is wider."}
	VariablesOfServer    = Feature{"changed.server_variables", "Server variables were replaced by their defaults."}
	SchemeAsKey          = Feature{"changed.security_scheme", "Security schemes that the target does not support are written as API keys in a header; their descriptions say what to send."}
	Flows                = Feature{"lost.oauth_flows", "The target supports one OAuth 2.0 flow; only the first was kept."}
	MediaTypeSchemas     = Feature{"lost.media_type_schemas", "The target supports one schema for all media types; only the first was kept."}
	ResponseClasses      = Feature{"changed.response_classes", "Classes of status codes are written as their first code."}
	FileLists            = Feature{"changed.file_lists", "Lists of files in a form are written as one file."}
)
