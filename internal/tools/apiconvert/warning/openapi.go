package warning

// Warnings about OpenAPI documents, for other formats.
var (
	Callbacks           = Feature{"lost.callbacks", "The target cannot express callbacks; they were dropped."}
	Webhooks            = Feature{"lost.webhooks", "The target cannot express webhooks; they were dropped."}
	Links               = Feature{"lost.links", "The target cannot express links of responses; they were dropped."}
	Alternatives        = Feature{"lost.security_alternatives", "The target supports one authentication method per request; only the first alternative was kept."}
	SecurityCombination = Feature{"lost.security_combination", "The target supports one credential per request; others that are required with it were dropped."}
	MediaTypes          = Feature{"lost.media_types", "The target supports one body per request; only the first media type was kept."}
	Servers             = Feature{"lost.servers", "The target supports one server; the others were dropped."}
	ServerVariables     = Feature{"lost.server_variables", "The target cannot express the allowed values of server variables."}
	Deprecated          = Feature{"lost.deprecated", "The target cannot express that something is deprecated."}
	Extensions          = Feature{"lost.extensions", "The target cannot express extensions (x-…); they were dropped."}
	Tags                = Feature{"lost.tags", "The target supports one folder per request; only the first tag was used."}
	ParameterStyle      = Feature{"lost.parameter_style", "The target cannot express the serialization style of a parameter."}
	ParameterContent    = Feature{"lost.parameter_content", "Parameters with a media type are represented by their example only."}
	Encoding            = Feature{"lost.encoding", "The target cannot express the encoding of form fields."}
	ExternalDropped     = Feature{"lost.external_operations", "Other files are not read, so these operations were dropped. Bundle the document first."}
	RemoteReference     = Feature{"lost.remote_reference", "References to other documents are not fetched; what they refer to was dropped. Bundle the document first."}
	BrokenReference     = Feature{"lost.broken_reference", "References that do not resolve in this document were dropped."}
	CyclicReference     = Feature{"lost.cyclic_reference", "References form a cycle without a value."}
	Recursion           = Feature{"lost.recursion", "A schema contains itself; its example stops at the first repetition."}
	Complexity          = Feature{"lost.complexity", "A schema is too large once its references are followed; its example stops there."}
	DefaultResponse     = Feature{"lost.default_response", "Default responses without content have no status to be saved with; their descriptions were dropped."}
	Malformed           = Feature{"lost.malformed", "Malformed parts were dropped."}
)
