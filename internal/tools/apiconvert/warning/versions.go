package warning

// Between versions of descriptions.
var (
	AdditionalOperations = Feature{"lost.additional_operations", "Operations with other methods cannot be expressed in the target and were left out."}
	SchemaDialect        = Feature{"lost.schema_dialect", "The dialect of schemas cannot be named in the target."}
	SchemaKeywords       = Feature{"lost.keyword", "Schema keywords that the target does not have were left out."}
	BooleanSchema        = Feature{"changed.boolean_schema", "A schema that is true or false is written as an object."}
	ConditionalSchema    = Feature{"lost.conditional_schema", "if, then and else cannot be expressed in the target and were left out."}
	TupleItems           = Feature{"changed.tuple_items", "Items given by position are described as any of them."}
	TypeList             = Feature{"changed.type_list", "A list of types is written as alternatives."}
	Examples             = Feature{"lost.examples", "Several examples were given where the target holds one; the first is kept."}
	PathItems            = Feature{"changed.path_items", "Reusable path items were copied to where they are used."}
	MutualTLS            = Feature{"lost.mutual_tls", "Authentication by a client certificate cannot be expressed in the target."}
	LicenseIdentifier    = Feature{"changed.license_identifier", "The licence's identifier is written as an address."}
	SummaryMoved         = Feature{"changed.summary", "The target has no summary here; it is written as the description."}
	PatternProperties    = Feature{"changed.pattern_properties", "Schemas of properties whose names match a pattern are written as additionalProperties, whatever the name."}
	DynamicReference     = Feature{"changed.dynamic_reference", "A dynamic reference is written as a plain one."}
	AddedPathParameter   = Feature{"added.path_parameter", "A path names a parameter that is not described; it was added as a string."}
	AddedServerDefault   = Feature{"added.server_default", "A variable of a server has no default; one was made up."}
	AddedInfo            = Feature{"added.info", "A title or version that a description must have was missing; one was made up."}
	AddedResponse        = Feature{"added.response", "An operation without responses was given a default response."}
	Summary              = Feature{"lost.summary", "The summary cannot be expressed in the target."}
	CollectionFormat     = Feature{"lost.collection_format", "A format of lists of the source version has no equal in the target."}
	TagHierarchy         = Feature{"lost.tag_hierarchy", "Parents and kinds of tags cannot be expressed in the target."}
	QueryString          = Feature{"lost.query_string", "A parameter that is the whole query string cannot be expressed in the target."}
	Streaming            = Feature{"changed.item_schema", "The schema of a stream's items is written as the schema of a list."}
	DeviceFlow           = Feature{"lost.device_flow", "The OAuth device flow cannot be expressed in the target."}
	SelfAddress          = Feature{"lost.self", "The document's own address ($self) cannot be expressed in the target."}
	UnknownMembers       = Feature{"lost.unknown_members", "A member that the target does not define was left out."}
	ServerNames          = Feature{"lost.server_names", "The name of a server cannot be expressed in the target."}
	SerializedExamples   = Feature{"lost.serialized_examples", "An example given both as data and as it is sent is kept in one form only."}
	DefaultMapping       = Feature{"lost.default_mapping", "The default of a discriminator cannot be expressed in the target."}
	XMLNodes             = Feature{"lost.xml_nodes", "The kind of an XML node cannot be expressed in the target."}
	ReferenceTexts       = Feature{"lost.reference_texts", "The summary and description beside a reference cannot be expressed in the target."}
	RemoteKept           = Feature{"changed.remote_reference", "A reference to another document is not fetched; it stays as it is, and the other document may be of another version."}
	Schemes              = Feature{"lost.schemes", "Protocols of one operation cannot be expressed without a host and were left out."}
	AllowEmptyValue      = Feature{"lost.allow_empty_value", "The mark that a parameter may be empty exists for queries only in the target."}
	UnusedParameters     = Feature{"lost.unused_parameters", "A form parameter that no operation uses cannot be expressed in the target and was left out."}
	FileFormMediaType    = Feature{"changed.form_media_type", "A form with files is written as multipart/form-data, the only form that can hold them."}
	TooManyCopies        = Feature{"lost.copies", "A part is used in so many places that it was left out of the later ones."}

	// Towards Swagger 2.0.
	ServerTexts          = Feature{"lost.server_texts", "The description of a server cannot be expressed in the target."}
	PathTexts            = Feature{"lost.path_texts", "The summary and description of a path cannot be expressed in the target."}
	WriteOnly            = Feature{"lost.write_only", "The mark of being sent only cannot be expressed in the target."}
	SchemaAlternatives   = Feature{"lost.schema_alternatives", "Alternatives of a schema (oneOf, anyOf, several types, a discriminator without its property) cannot be expressed in the target; the schema allows more."}
	DiscriminatorMapping = Feature{"lost.discriminator_mapping", "The values of a discriminator cannot be mapped in the target; they are names of schemas."}
	CookieParameters     = Feature{"lost.cookie_parameters", "Parameters in cookies cannot be expressed in the target and were left out."}
	ObjectParameter      = Feature{"changed.object_parameter", "A parameter that is an object is written as a parameter for each of its properties."}
	ParameterAsText      = Feature{"changed.parameter_text", "A parameter or header that is no plain value or list of them is written as text."}
	VariablesOfServer    = Feature{"changed.server_variables", "The variables of a server are written as their defaults."}
	SchemeAsKey          = Feature{"changed.security_scheme", "A security scheme that the target does not have is written as an API key in a header; its description says what to send."}
	Flows                = Feature{"lost.oauth_flows", "Several OAuth flows were given; only the first is kept."}
	MediaTypeSchemas     = Feature{"lost.media_type_schemas", "Media types with schemas of their own were given where the target has one for all; the first is kept."}
	ResponseClasses      = Feature{"changed.response_classes", "A class of status codes is written as its first code."}
	FileLists            = Feature{"changed.file_lists", "A list of files in a form is written as one file."}
)
