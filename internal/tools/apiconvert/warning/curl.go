package warning

// Of commands.
var (
	Pipes           = Feature{"lost.pipes", "What a command's output is piped or redirected to was left out."}
	ShellSyntax     = Feature{"lost.shell_syntax", "Shell syntax around curl (conditions, loops, substitutions) was left out."}
	ShellVariable   = Feature{"lost.shell_variable", "What a variable holds is not known; the argument that it stands for was left out."}
	ShellText       = Feature{"changed.shell_text", "Text that a shell would read in another way was read as it was meant."}
	Dialect         = Feature{"changed.dialect", "The text was read as the quoting of a shell other than POSIX's."}
	OtherCommands   = Feature{"lost.other_commands", "Commands other than curl were left out."}
	Transport       = Feature{"lost.curl_option", "Options of how curl connects, sends or stores cannot be expressed in the target and were left out."}
	Conflict        = Feature{"changed.options", "Options exclude each other; the request is the one that curl would make of them."}
	LocalFiles      = Feature{"lost.local_files", "A local file is named but never read."}
	StandardInput   = Feature{"lost.standard_input", "A body from standard input is not known."}
	ConfigFile      = Feature{"lost.config_file", "An option file is named but never read."}
	CookieFile      = Feature{"lost.cookie_file", "A file of cookies is named but never read."}
	GlobbingLimit   = Feature{"lost.globbing", "A range or list in an address stands for too many requests and stays as text."}
	SeveralURLs     = Feature{"changed.several_urls", "A command with several addresses is written as several requests."}
	Address         = Feature{"changed.address", "An address was corrected so that it can be sent."}
	Protocol        = Feature{"lost.protocol", "An address is not of HTTP; only HTTP requests can be expressed."}
	ProtocolDefault = Feature{"changed.protocol", "An address without a protocol is written with http://, which curl would use."}
	JSONMediaType   = Feature{"changed.media_type", "The body is JSON text without its media type; it is written as application/json."}
	HeaderRemoved   = Feature{"lost.header_removal", "The removal of a header that curl sends by itself cannot be expressed in the target."}
	Responses       = Feature{"lost.responses", "Saved responses cannot be expressed in the target and were left out."}
)
