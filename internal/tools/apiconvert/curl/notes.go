package curl

import (
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curlcmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// features are the warnings of what the model does not hold. Notes that are
// not here concern options that stand in Request.Transport, or readings that
// change nothing: a prompt, Markdown around the commands.
var features = map[string]warning.Feature{
	"lost.no_url":                warning.UnknownURL,
	"lost.output":                warning.Pipes,
	"lost.other_commands":        warning.OtherCommands,
	"lost.loop":                  warning.ShellSyntax,
	"lost.condition":             warning.ShellSyntax,
	"lost.command_output":        warning.ShellSyntax,
	"lost.arithmetic":            warning.ShellSyntax,
	"lost.process_substitution":  warning.ShellSyntax,
	"lost.arguments":             warning.ShellSyntax,
	"lost.parameter_expansion":   warning.ShellSyntax,
	"lost.expand_function":       warning.ShellSyntax,
	"lost.config_file":           warning.ConfigFile,
	"lost.cookie_file":           warning.CookieFile,
	"lost.file_content":          warning.LocalFiles,
	"lost.url_file":              warning.LocalFiles,
	"lost.header_file":           warning.LocalFiles,
	"lost.standard_input":        warning.StandardInput,
	"lost.form_encoder":          warning.Encoding,
	"lost.nested_form":           warning.Malformed,
	"lost.protocol":              warning.Protocol,
	"lost.url_pattern":           warning.GlobbingLimit,
	"lost.automatic_referer":     warning.Transport,
	"lost.resume":                warning.Transport,
	"changed.form_ignored":       warning.Malformed,
	"changed.form_part_ignored":  warning.Malformed,
	"changed.header_ignored":     warning.Malformed,
	"changed.argument_missing":   warning.Malformed,
	"changed.method_conflict":    warning.Conflict,
	"changed.query_ignored":      warning.Conflict,
	"changed.query_cut":          warning.Conflict,
	"changed.scheme":             warning.ProtocolDefault,
	"changed.url_blank":          warning.Address,
	"changed.url_pattern":        warning.Address,
	"changed.ampersand":          warning.ShellText,
	"changed.parenthesis":        warning.ShellText,
	"changed.continuation":       warning.ShellText,
	"changed.here_document":      warning.ShellText,
	"changed.not_unicode":        warning.ShellText,
	"changed.dialect_cmd":        warning.Dialect,
	"changed.dialect_powershell": warning.Dialect,
}

// subjects are what notes are about that name no option.
var subjects = map[string]string{
	"changed.dialect_cmd":        "Windows' cmd",
	"changed.dialect_powershell": "PowerShell",
	"changed.ampersand":          "&",
	"changed.parenthesis":        "(…)",
	"changed.continuation":       "an option on a line of its own",
	"changed.here_document":      "the end of a here-document",
	"changed.not_unicode":        "escapes that form no UTF-8",
	"lost.loop":                  "a loop",
	"lost.condition":             "a condition",
	"lost.command_output":        "$(…)",
	"lost.arithmetic":            "$((…))",
	"lost.process_substitution":  "<(…)",
	"lost.arguments":             "arguments that are not known",
	"lost.parameter_expansion":   "${…}",
}

// note tells a note about a request, or, with nil, about the text.
func (r *reader) note(n curlcmd.Note, at *warning.Place) {
	if n.Kind == curlcmd.UnknownOption {
		name := "--" + n.Option
		if len(n.Option) == 1 {
			name = "-" + n.Option
		}
		r.warnings.UnknownOption(name, at)
		return
	}
	f, told := features[n.Code()]
	if !told {
		return
	}
	if n.Place.Command > 0 || n.About != "" && at == nil {
		at = r.place(n.Place)
	}
	name := subjects[n.Code()]
	switch {
	case n.About != "":
		name = n.About
	case n.Option != "":
		name = "--" + n.Option
	}
	if name == "" {
		r.warnings.Add(f, at)
		return
	}
	r.warnings.AddNamed(f, at, name)
}

// outputOptions concern what curl shows, or how an answer travels. Other formats
// have no word for them and need none; where answers are stored is told.
var outputOptions = map[string]bool{
	"silent": true, "show-error": true, "verbose": true, "include": true, "show-headers": true,
	"create-dirs": true, "create-file-mode": true, "remote-time": true, "fail": true, "fail-with-body": true, "fail-early": true,
	"progress-bar": true, "progress-meter": true, "trace": true,
	"trace-ascii": true, "trace-time": true, "trace-ids": true, "trace-config": true, "stderr": true, "buffer": true,
	"no-buffer": true, "styled-output": true, "compressed": true, "xattr": true,
	"disable": true, "parallel": true, "parallel-immediate": true, "parallel-max": true, "clobber": true,
	"libcurl": true, "raw": true, "keepalive": true, "basic": true, "skip-existing": true, "out-null": true,
	"remove-on-error": true, "etag-save": true,
}

// Portable makes a model that Read made fit for other formats than shell
// text: JSON that curl sends as a form gets its own media type, options that
// only concern curl's output are left out, and what only curl can say is told:
// a field whose value is a file's content gets a variable for it.
func Portable(api *request.API, b *budget.Budget, warnings *warning.List) {
	files := fileVariables{api: api}
	for _, r := range api.Requests {
		b.Parts(1 + len(r.Transport))
		kept := r.Transport[:0]
		for _, o := range r.Transport {
			switch {
			case outputOptions[strings.TrimPrefix(o.Name, "no-")]:
			case o.Name == "config": // told by Read
			case o.Name == "header" && strings.HasPrefix(o.Value, "@"):
				warnings.Add(warning.LocalFiles, r.Place)
			case o.Name == "header":
				warnings.AddNamed(warning.HeaderRemoved, r.Place, strings.TrimSuffix(o.Value, ":"))
			default:
				kept = append(kept, o)
			}
		}
		r.Transport = kept
		for _, b := range r.Bodies {
			if b.TypeGuessed {
				b.MediaType = jsonType
				warnings.Add(warning.JSONMediaType, r.Place)
			}
			if b.Kind == request.File && b.Path != "-" {
				warnings.AddNamed(warning.LocalFiles, r.Place, b.Path)
			}
			for _, f := range b.Fields {
				if f.ValueFile != "" {
					warnings.AddNamed(warning.LocalFiles, r.Place, f.ValueFile)
					f.Value, f.ValueFile = files.next(), ""
				}
			}
		}
	}
}

// fileVariables makes the variables for the contents of files.
type fileVariables struct {
	api   *request.API
	taken map[string]bool // names of variables, nil before the first is made
	made  int
}

// next declares a variable and returns its placeholder.
func (f *fileVariables) next() string {
	if f.taken == nil {
		f.taken = map[string]bool{}
		for _, v := range f.api.Variables {
			f.taken[v.Name] = true
		}
	}
	for {
		f.made++
		if name := "file_" + strconv.Itoa(f.made); !f.taken[name] {
			f.api.Variables = append(f.api.Variables, &request.Variable{Name: name})
			return "{{" + name + "}}"
		}
	}
}
