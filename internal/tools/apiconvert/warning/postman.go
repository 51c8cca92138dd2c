package warning

// Warnings about collections.
var (
	Scripts          = Feature{"lost.scripts", "Scripts run in Postman only and were dropped."}
	Settings         = Feature{"lost.settings", "Request settings were dropped."}
	Certificates     = Feature{"lost.certificates", "The target cannot express client certificates."}
	Proxy            = Feature{"lost.proxy", "The target cannot express proxies."}
	ResponseDetails  = Feature{"lost.response_details", "Timings and cookies of saved responses were dropped."}
	DisabledEntries  = Feature{"lost.disabled", "The target cannot express disabled entries; they were dropped."}
	FolderNesting    = Feature{"changed.folder_nesting", "Nested folders were flattened to one level."}
	OtherMediaTypes  = Feature{"changed.media_types", "A request has one body; those in other media types were saved as examples."}
	EmptyFolders     = Feature{"lost.empty_folders", "Folders without requests were dropped."}
	Variables        = Feature{"lost.variables", "The target cannot express variables here; they remain as placeholders."}
	DynamicVariables = Feature{"changed.dynamic_variables", "Values that Postman generates when it sends are written as placeholders."}
	NestedVariables  = Feature{"changed.nested_variables", "Variables whose name contains other variables are written with the resulting name."}
	ContentType      = Feature{"changed.content_type", "A Content-Type header contradicts the kind of body; the kind of body is used."}
	UnknownURL       = Feature{"lost.url", "Requests without a usable URL were dropped."}
)
