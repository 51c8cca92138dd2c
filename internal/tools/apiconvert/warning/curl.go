package warning

// Warnings about commands.
var (
	Pipes           = Feature{"lost.pipes", "Pipes and redirections of a command's output were dropped."}
	ShellSyntax     = Feature{"lost.shell_syntax", "Shell syntax around curl (conditions, loops, substitutions) was dropped."}
	ShellVariable   = Feature{"lost.shell_variable", "The value of a shell variable is unknown, so the argument that it provides was dropped."}
	ShellText       = Feature{"changed.shell_text", "Some text was read as it was probably meant, not as a shell would read it."}
	Dialect         = Feature{"changed.dialect", "The commands were read with the quoting rules of this shell, not those of a POSIX shell."}
	Captured        = Feature{"lost.captured_values", "The target cannot express how the script sets these variables."}
	OtherCommands   = Feature{"lost.other_commands", "Commands other than curl were dropped."}
	Transport       = Feature{"lost.curl_option", "The target cannot express options that control how curl connects, sends or saves; they were dropped."}
	Conflict        = Feature{"changed.options", "Options contradict each other; the request is what curl would send."}
	LocalFiles      = Feature{"lost.local_files", "Local files are not read, so their content is unknown."}
	StandardInput   = Feature{"lost.standard_input", "Standard input is not read, so the body is unknown."}
	ConfigFile      = Feature{"lost.config_file", "Config files of curl are not read, so the options in them are unknown."}
	CookieFile      = Feature{"lost.cookie_file", "Cookie files are not read, so the cookies in them are unknown."}
	GlobbingLimit   = Feature{"lost.globbing", "URL ranges and lists that expand to too many requests were kept as text."}
	SeveralURLs     = Feature{"changed.several_urls", "A command with several URLs is written as several requests."}
	Address         = Feature{"changed.address", "URLs that curl rejects were corrected."}
	Protocol        = Feature{"lost.protocol", "Only HTTP and WebSocket URLs can be converted; requests to others were dropped."}
	ProtocolDefault = Feature{"changed.protocol", "http:// was added to URLs without a protocol, as curl does."}
	JSONMediaType   = Feature{"changed.media_type", "JSON bodies without a media type are written as application/json."}
	HeaderRemoved   = Feature{"lost.header_removal", "The target cannot express the removal of a default header."}
	ParameterTexts  = Feature{"lost.parameter_descriptions", "Descriptions of parameters were dropped; a command has no place for them."}
	Responses       = Feature{"lost.responses", "The target cannot express saved responses; they were dropped."}
)
