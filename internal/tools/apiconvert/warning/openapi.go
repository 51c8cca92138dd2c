package warning

// Warnings about OpenAPI documents, for other formats.
var (
	Callbacks           = Feature{"lost.callbacks", "The target cannot express callbacks; they were dropped."}
	Webhooks            = Feature{"lost.webhooks", "The target cannot express webhooks; they were dropped."}
	Links               = Feature{"lost.links", "The target cannot express links of responses; they were dropped."}
	Alternatives        = Feature{"lost.security_alternatives", "The target holds one way to authenticate; only the first of several was kept."}
	SecurityCombination = Feature{"lost.security_combination", "The target holds one credential; only one of those that are required together was kept."}
	MediaTypes          = Feature{"lost.media_types", "The target holds one request body; only the first of several media types was kept."}
	Servers             = Feature{"lost.servers", "The target holds one server; only the first of several is used."}
	ServerVariables     = Feature{"lost.server_variables", "The target cannot express the allowed values of server variables."}
	Deprecated          = Feature{"lost.deprecated", "The target cannot express that something is deprecated."}
	Extensions          = Feature{"lost.extensions", "The target cannot express extensions (x-…); they were dropped."}
	Tags                = Feature{"lost.tags", "The target holds one folder per request; only the first of several tags was used."}
	ParameterStyle      = Feature{"lost.parameter_style", "The target cannot express the serialization style of a parameter."}
	ParameterContent    = Feature{"lost.parameter_content", "Parameters with a media type are represented by their example only."}
	Encoding            = Feature{"lost.encoding", "The target cannot express the encoding of form fields."}
	ExternalDropped     = Feature{"lost.external_operations", "Other files are not read, so these operations were dropped. Bundle the document first."}
	RemoteReference     = Feature{"lost.remote_reference", "References to other documents are not fetched; what they refer to was dropped. Bundle the document first."}
	BrokenReference     = Feature{"lost.broken_reference", "References do not resolve in this document."}
	CyclicReference     = Feature{"lost.cyclic_reference", "References form a cycle without a value."}
	Recursion           = Feature{"lost.recursion", "A schema contains itself; its example stops there."}
	Complexity          = Feature{"lost.complexity", "A schema is too large once its references are followed; its example stops there."}
	DefaultResponse     = Feature{"lost.default_response", "Default responses without content have no status to be saved with; their descriptions were dropped."}
	Malformed           = Feature{"lost.malformed", "Malformed parts were dropped."}
)
