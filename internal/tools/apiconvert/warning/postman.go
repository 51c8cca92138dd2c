package warning

// Of collections.
var (
	Scripts          = Feature{"lost.scripts", "Scripts run in Postman only and were left out."}
	Settings         = Feature{"lost.settings", "Settings of how a request is sent were left out."}
	Certificates     = Feature{"lost.certificates", "A client certificate cannot be expressed in the target."}
	Proxy            = Feature{"lost.proxy", "A proxy cannot be expressed in the target."}
	ResponseDetails  = Feature{"lost.response_details", "Times and cookies of a saved response were left out."}
	DisabledEntries  = Feature{"lost.disabled", "A disabled entry cannot be expressed in the target and was left out."}
	FolderNesting    = Feature{"changed.folder_nesting", "Nested folders are written as one level."}
	EmptyFolders     = Feature{"lost.empty_folders", "A folder without requests was left out."}
	Variables        = Feature{"lost.variables", "A variable cannot be expressed in the target and stays as its placeholder."}
	DynamicVariables = Feature{"changed.dynamic_variables", "A value that Postman makes up when it sends is written as a placeholder."}
	NestedVariables  = Feature{"changed.nested_variables", "A variable whose name holds other variables is written with the name that their values make."}
	ContentType      = Feature{"changed.content_type", "A Content-Type header contradicts the kind of body; the kind is followed."}
	UnknownURL       = Feature{"lost.url", "A request has no address that could be read and was left out."}
)
