package source

import (
	"regexp"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// foreignFormat is a format that is often sent and not supported. A text of it matches both expressions. The first is
// anchored or begins with a literal, so that it costs little in other texts.
type foreignFormat struct {
	below            bool // comments at the beginning of the text
	begins, contains func() *regexp.Regexp
	failure          *convert.Failure
}

// comments matches the lines before the first one that is not empty or a comment.
var comments = expression.Lazy(`\A(?:[ \t]*(?:(?:#|//).*)?\n)*`)

// What may precede the first line of YAML; a request line; and anything.
const (
	firstYAML = `(?:---.*\n(?:[ \t]*(?:#.*)?\n)*)?`
	method    = `(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) `
	anything  = ``
)

func named(begins, contains string, failure *convert.Failure) foreignFormat {
	return foreignFormat{false, expression.Lazy(begins), expression.Lazy(contains), failure}
}

// below is like named for what the first line begins with that is not empty or a comment.
func below(begins, contains string, failure *convert.Failure) foreignFormat {
	return foreignFormat{true, expression.Lazy(`\A` + begins), expression.Lazy(contains), failure}
}

// documents are formats that are no text at all.
var documents = []foreignFormat{
	named(`\A\s*(?:\{\s*"[^"\n]*"\s*:|\[\s*\{)`, `(?s)"scripts"\s*:\s*\{.*curl`, packageJSON),
	named(`\A\s*(?:\{\s*"[^"\n]*"\s*:|\[\s*\{)`, anything, convert.Reject(convert.UnrecognizedSource,
		"The source is JSON, not a script.",
		"For a Postman collection or an OpenAPI document, set input.mediaType to application/json. To convert curl commands in the strings of another document, paste the commands without JSON's quotes.")),
	below(firstYAML+`["']?(?:openapi|swagger)["']?[ \t]*:`, anything, convert.Reject(convert.UnrecognizedSource,
		"The source is an OpenAPI document in YAML, not a script.",
		"Set input.mediaType to application/yaml.")),
	named(`(?i)\A\s*<(?:!doctype|\?xml|/?(?:html|head|body|pre|div|p|code|project|article|section|table|span)\b[^|;]*>)`, anything, html),
}

// files are formats that no script begins like, so text may call curl anywhere.
var files = []foreignFormat{
	below(`(?:(?:#!.*groovy.*|@Library.*|import .*|def .*|\w+ *= .*)\n|\s*\n)*\s*(?:pipeline|node(?:\s*\([^)\n]+\))?)\s*\{`,
		`\b(?:sh|bat|powershell)\b\s*[('"]`, convert.Reject(convert.UnrecognizedSource,
			"This looks like a Jenkinsfile, which is not supported.",
			"Paste the shell commands inside its sh steps, with values in place of Groovy's variables, and send them as text/plain.")),
	below(`(?:terraform|(?:resource|data|provider|variable|module|output)[ \t]+"[^"\n]+"(?:[ \t]+"[^"\n]+")?)[ \t]*\{`, anything,
		convert.Reject(convert.UnrecognizedSource,
			"This looks like a Terraform configuration, which is not supported.",
			"Paste the shell commands inside its provisioners, with values in place of ${…}, and send them as text/plain.")),
	below(`\[(?:Unit|Service|Timer|Install)\]`, `(?m)^Exec\w+=`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a systemd unit, which is not supported.",
		"Paste the commands after ExecStart= and send them as text/plain.")),
	below(`(?:[A-Z_]+ *=.*\n|[ \t]*(?:#.*)?\n)*(?:@(?:reboot|hourly|daily|weekly|monthly|yearly)|(?:[\d*][\d*/,-]*[ \t]+){3}(?:[\d*A-Za-z][\w*/,-]*[ \t]+){2})\S*.*curl`,
		anything, convert.Reject(convert.UnrecognizedSource,
			"This looks like a crontab, which is not supported.",
			"Paste the commands without the times before them and send them as text/plain.")),
	below(`(?::[ \t]\d+:\d+;|[ \t]*\d+\*?[ \t]+\S)`, `(?m)^(?::[ \t]\d+:\d+;|[ \t]*\d+\*?[ \t]+(?:\S*\d\d:\d\d\S*[ \t]+|\d{4}-\d\d-\d\d[ \t]+)*)curl `, convert.Reject(convert.UnrecognizedSource,
		"This looks like the history of a shell, with numbers or times before the commands, which is not supported.",
		"Paste the commands without the numbers, for example what fc -ln prints, and send them as text/plain.")),
	below(`\[?(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp][Mm])?\]?[ \t]+(?:<[^>\n]+>|[\w.@-]+(?: [\w.@-]+){0,2}:)[ \t]`, anything,
		convert.Reject(convert.UnrecognizedSource,
			"This looks like a chat, which is not supported.",
			"Paste the curl commands without the times and names before them and send them as text/plain.")),
	below(`(?:# .*\n|\s*\n)*> `, "(?m)^`curl .*`$", convert.Reject(convert.UnrecognizedSource,
		"This looks like a page of tldr, which is not supported.",
		"Paste the commands without the backquotes, with values in place of {{…}}, and send them as text/plain.")),
	named(`#\+(?i:begin_src)`, `(?mi)^[ \t]*#\+begin_src\b`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a document in Org mode, which is not supported.",
		"Paste the commands between #+begin_src and #+end_src and send them as text/plain.")),
	named(`set [a-z]`, `(?m)^set [a-z][a-z-]*(?: :=.*)?`+justRecipe, justfile),
	named(` := `, `(?m)^(?:export )?[A-Za-z_][\w-]* := .*`+justRecipe, justfile),
	named(`just --list`, `(?m)^[ \t]+@?just --list`, justfile),
	named(`\{\{`, `(?m)^@?[a-z_][\w-]*(?: [+*]?[a-z_][\w-]*(?:=\S+)?)+:(?: [\w -]*)?\n(?: .*\n)*? +@?curl [^\n]*[^$\n]\{\{\w`, justfile),
}

// justRecipe is a recipe of just somewhere below a line.
const justRecipe = `\n(?:.*\n)*?@?[A-Za-z_][\w-]*(?: [^:=\n]*)?:(?: [\w -]*)?\n    `

var justfile = convert.Reject(convert.UnrecognizedSource,
	"This looks like a justfile, which is not supported.",
	"Run just --dry-run with the name of the recipe and send what it prints as text/plain.")

// foreignYAML are formats of YAML, none of whose lines begins with a command.
var foreignYAML = []foreignFormat{
	below(firstYAML+`- *\w+:`, `(?m)^[ \t]*(?:- *)?(?:hosts|tasks|roles|become|(?:ansible\.builtin\.)?(?:shell|command|uri)):`, convert.Reject(convert.UnrecognizedSource,
		"This looks like an Ansible playbook, which is not supported.",
		"Paste the commands of its shell and command tasks, with values in place of {{…}}, and send them as text/plain.")),
	below(firstYAML+`\w+:`, `(?m)^apiVersion:[ \t]*["']?(?:tekton\.dev|argoproj\.io)`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a pipeline of Tekton or Argo, which is not supported.", "Paste the shell commands in its steps, one below the other, and send them as text/plain.")),
	below(firstYAML+`(?:\w+:|\{\{)`, `(?s)(?:\A|\n)apiVersion:.*\{\{-? *(?:\.|\$|include|template)`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a template of Helm, which is not supported.",
		"Run helm template and send what it prints as text/plain.")),
	below(firstYAML+`\w+:`, `(?m)^(?:language|after_success|after_script):`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a build of Travis CI, which is not supported.", "Paste the shell commands in its steps, one below the other, and send them as text/plain.")),
	below(firstYAML+`\w+:`, `(?m)^pipelines:`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a pipeline of Bitbucket, which is not supported.", "Paste the shell commands in its steps, one below the other, and send them as text/plain.")),
	below(firstYAML+`\w+:`, `(?m)^[ \t]*- *(?:bash|powershell|pwsh|task|script):`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a pipeline of Azure, which is not supported.", "Paste the shell commands in its steps, one below the other, and send them as text/plain.")),
	below(firstYAML+`version:[ \t]*["']?2(?:\.\d)?\b`, `(?m)^[ \t]*- *run:`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a configuration of CircleCI, which is not supported.", "Paste the shell commands in its steps, one below the other, and send them as text/plain.")),
	below(firstYAML+`\w+:`, `(?m)^tasks:`, convert.Reject(convert.UnrecognizedSource,
		"This looks like a Taskfile, which is not supported.",
		"Run task --dry with the name of the task and send what it prints as text/plain.")),
}

// otherYAML is YAML with commands in members that often hold some.
var otherYAML = []foreignFormat{
	below(firstYAML+`[\w-]+:`, `(?m)^[ \t]*(?:- *)?["']?(?:run|script|source|commands?|cmds?|bash|sh|shell|exec|args|argv|entrypoint|\w+_script)["']?:`, convert.Reject(convert.UnrecognizedSource,
		"The source is YAML with shell commands that nothing supported runs.",
		"The workflows of GitHub Actions, GitLab CI, Compose files and Kubernetes manifests are supported. Of another file, paste the curl commands themselves and send them as text/plain.")),
}

// otherRequests are formats of requests without curl.
var otherRequests = []foreignFormat{
	below(method+`\S+[ \t]+HTTP/\d`, `(?m)^[ \t]*\r?\n|\n[A-Za-z-]+: `, convert.Reject(convert.UnrecognizedSource,
		"The source is an HTTP request as it is sent, which is not supported.",
		"Write it as a curl command and send that as text/plain: curl -X METHOD https://HOST/PATH, -H for each header, --data-raw for the body.")),
	below(`(?:@[\w-]+ *=.*\n|[ \t]*(?:(?:#|//).*)?\n)*`+method+`(?:https?://|\{\{|/|[\w.-]+[.:/])`, anything, convert.Reject(convert.UnrecognizedSource,
		"This looks like an .http file of an editor, which is not supported.",
		"Copy each request as cURL (Generate Code Snippet in Visual Studio Code, Copy as cURL in JetBrains IDEs) and send the commands as text/plain.")),
	named(`(?m)^[ \t]*(?:\$ )?(?:https?|xh)[ \t]+(?:-\S+[ \t]+)*(?:`+method+`[ \t]*)?(?:https?://|:\d*/|[\w-]+[.:/])`, anything, convert.Reject(convert.UnrecognizedSource,
		"This looks like commands of HTTPie, which are not supported.",
		"Write each as a curl command and send that as text/plain: http POST HOST/PATH name=value is curl --json '{\"name\": \"value\"}' HOST/PATH.")),
	named(`(?m)^[ \t]*(?:\$ )?(?:sudo )?wget[ \t]`, anything, convert.Reject(convert.UnrecognizedSource,
		"This looks like commands of wget, which are not supported.",
		"Write each as a curl command and send that as text/plain: --method is -X, --header is -H, --post-data and --body-data are --data-raw, -O is -o.")),
}

// foreign returns a failure that names the format of text, or nil. plain reports that it was sent as plain text, yaml
// that it is YAML whose strings call curl.
func foreign(text string, plain, yaml bool) error {
	lists := [][]foreignFormat{files}
	if plain {
		lists = append(lists, documents)
	}
	if lists = append(lists, foreignYAML); yaml {
		lists = append(lists, otherYAML)
	}
	if !callsCurl().MatchString(text) {
		lists = append(lists, otherRequests)
	}
	from := len(comments().FindString(text))
	for _, list := range lists {
		for _, f := range list {
			start := text
			if f.below {
				start = text[from:]
			}
			if f.begins().MatchString(start) && f.contains().MatchString(text) {
				return f.failure
			}
		}
	}
	return nil
}

var callsCurl = expression.Lazy(`(?m)\bcurl(?:\.exe)?[ \t]|\b[Ii]nvoke-(?:[Ww]eb|[Rr]est)`)

// Failures that both JSON and text have.
var (
	html = convert.Reject(convert.UnrecognizedSource,
		"The source is HTML or XML.",
		"Send the Postman collection, the OpenAPI document or the curl commands themselves, not a web page that shows them or asks you to sign in. For a file in a repository, send the raw file.")
	packageJSON = convert.Reject(convert.UnrecognizedSource,
		"This looks like a package.json, which is not supported.",
		"Paste the command of the script without the quotes and escapes of JSON and send it as text/plain.")
)

// unrecognised returns a failure for a document in an unsupported format. For formats that are often mistaken for
// supported ones, the failure names the format and says what to send instead.
func unrecognised(root *tree.Value) *convert.Failure {
	has := func(name string, k tree.Kind) bool { return root.Get(name).Kind() == k }
	switch {
	case has("values", tree.Array) && (root.Has("_postman_variable_scope") || root.Has("_postman_exported_at")):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is a Postman environment, which has variables but no requests.",
			"Export the collection from Postman as Collection v2.1 and send that.")
	case has("collections", tree.Array) && root.Has("environments"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an export of all Postman data.",
			"Export one collection from Postman as Collection v2.1 and send that.")
	case has("log", tree.Object):
		return convert.Reject(convert.UnrecognizedSource,
			"The source looks like an HTTP archive (HAR), but log.entries, the list of its requests, is missing.",
			"Record the traffic again, for example in the browser's developer tools, and save it as HAR with content.")
	case root.Has("__export_format"), strings.Contains(root.Get("type").Text(), "insomnia.rest/"): // up to version 4, and version 5
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an Insomnia export, which is not supported.",
			"Copy the requests as cURL in Insomnia and send that as text/plain, or send the design document alone.")
	case has("scripts", tree.Object):
		return packageJSON
	case root.Has("asyncapi"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an AsyncAPI document, which describes messages instead of HTTP requests.",
			"Send an OpenAPI document, with a property openapi or swagger.")
	case root.Has("overlay"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an OpenAPI Overlay, which changes another document.",
			"Apply it to its OpenAPI document, for example with the redocly or speakeasy command, and send the result.")
	case root.Has("arazzo"):
		return convert.Reject(convert.UnrecognizedSource,
			"The source is an Arazzo document, which describes workflows over other documents.",
			"Send the OpenAPI document that it refers to.")
	case has("paths", tree.Object), has("components", tree.Object):
		return convert.Reject(convert.UnrecognizedSource,
			"The source looks like an OpenAPI document but has no version.",
			"Add the property openapi (3.0.3, 3.1.0) or swagger (2.0) at the top level.")
	}
	return convert.Reject(convert.UnrecognizedSource,
		"The source is not a Postman collection, an OpenAPI document or an HTTP archive.",
		"Send a Postman collection (v2.0, v2.1), an OpenAPI document (with a property openapi or swagger), an HTTP archive (HAR) or, as text/plain, curl commands.")
}
