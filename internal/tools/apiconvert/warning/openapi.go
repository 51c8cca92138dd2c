package warning

// Of descriptions, towards other formats.
var (
	Callbacks           = Feature{"lost.callbacks", "Callbacks cannot be expressed in the target and were left out."}
	Webhooks            = Feature{"lost.webhooks", "Webhooks cannot be expressed in the target and were left out."}
	Links               = Feature{"lost.links", "Response links cannot be expressed in the target and were left out."}
	Alternatives        = Feature{"lost.security_alternatives", "Several ways to authenticate were given; only the first is kept."}
	SecurityCombination = Feature{"lost.security_combination", "Several credentials are needed together; the target's authentication holds only one of them."}
	MediaTypes          = Feature{"lost.media_types", "Several media types were given for a request body that cannot all be expressed; what is sent is of the first."}
	Servers             = Feature{"lost.servers", "Several servers were given; requests use the first."}
	ServerVariables     = Feature{"lost.server_variables", "The allowed values of a server variable cannot be expressed in the target."}
	Deprecated          = Feature{"lost.deprecated", "The mark of being deprecated cannot be expressed in the target."}
	Extensions          = Feature{"lost.extensions", "Extensions (x-…) cannot be expressed in the target and were left out."}
	Tags                = Feature{"lost.tags", "Several tags were given; the request stands in the folder of the first."}
	ParameterStyle      = Feature{"lost.parameter_style", "A parameter's style of serialization cannot be expressed in the target."}
	ParameterContent    = Feature{"lost.parameter_content", "A parameter described by a media type is carried by its example only."}
	Encoding            = Feature{"lost.encoding", "The encoding of a form's part cannot be expressed in the target."}
	RemoteReference     = Feature{"lost.remote_reference", "A reference to another document is not fetched; what it names is left out."}
	BrokenReference     = Feature{"lost.broken_reference", "A reference names nothing in this document."}
	CyclicReference     = Feature{"lost.cyclic_reference", "References lead in a circle without a value."}
	Recursion           = Feature{"lost.recursion", "A schema contains itself; its example stops there."}
	Complexity          = Feature{"lost.complexity", "A part is too large once its references are followed; its example stops there."}
	DefaultResponse     = Feature{"lost.default_response", "A default response without content has no status to be saved with; its description was left out."}
	Malformed           = Feature{"lost.malformed", "A part is not what its format asks for and was left out."}
)
