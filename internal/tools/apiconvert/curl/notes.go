package curl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curlcmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// features are the warnings of what the model does not hold, each with what it is
// about when the note names nothing. Notes that are not here concern options that
// stand in Request.Transport, or readings that change nothing: a prompt, Markdown
// around the commands.
var features = map[string]struct {
	feature warning.Feature
	about   string
}{
	"lost.no_url":                {warning.UnknownURL, ""},
	"lost.output":                {warning.Pipes, ""},
	"lost.other_commands":        {warning.OtherCommands, ""},
	"lost.loop":                  {warning.ShellSyntax, "a loop"},
	"lost.condition":             {warning.ShellSyntax, "a condition"},
	"lost.command_output":        {warning.ShellSyntax, "$(…)"},
	"lost.arithmetic":            {warning.ShellSyntax, "$((…))"},
	"lost.process_substitution":  {warning.ShellSyntax, "<(…)"},
	"lost.arguments":             {warning.ShellSyntax, "arguments that are not known"},
	"lost.parameter_expansion":   {warning.ShellSyntax, "${…}"},
	"lost.expand_function":       {warning.ShellSyntax, ""},
	"lost.config_file":           {warning.ConfigFile, ""},
	"lost.cookie_file":           {warning.CookieFile, ""},
	"lost.file_content":          {warning.LocalFiles, ""},
	"lost.url_file":              {warning.LocalFiles, ""},
	"lost.header_file":           {warning.LocalFiles, ""},
	"lost.standard_input":        {warning.StandardInput, ""},
	"lost.form_encoder":          {warning.Encoding, ""},
	"lost.nested_form":           {warning.Malformed, ""},
	"lost.protocol":              {warning.Protocol, ""},
	"lost.url_pattern":           {warning.GlobbingLimit, ""},
	"lost.automatic_referer":     {warning.Transport, ""},
	"lost.resume":                {warning.Transport, ""},
	"changed.form_ignored":       {warning.Malformed, ""},
	"changed.form_part_ignored":  {warning.Malformed, ""},
	"changed.header_ignored":     {warning.Malformed, ""},
	"changed.argument_missing":   {warning.Malformed, ""},
	"changed.method_conflict":    {warning.Conflict, ""},
	"changed.query_ignored":      {warning.Conflict, ""},
	"changed.query_cut":          {warning.Conflict, ""},
	"changed.scheme":             {warning.ProtocolDefault, ""},
	"changed.url_blank":          {warning.Address, ""},
	"changed.url_pattern":        {warning.Address, ""},
	"changed.ampersand":          {warning.ShellText, "&"},
	"changed.parenthesis":        {warning.ShellText, "(…)"},
	"changed.continuation":       {warning.ShellText, "an option on a line of its own"},
	"changed.here_document":      {warning.ShellText, "the end of a here-document"},
	"changed.not_unicode":        {warning.ShellText, "escapes that form no UTF-8"},
	"changed.dialect_cmd":        {warning.Dialect, "Windows' cmd"},
	"changed.dialect_powershell": {warning.Dialect, "PowerShell"},
}

// note tells a note about a request, or, with nil, about the text.
func (r *reader) note(n curlcmd.Note, at *warning.Place) {
	option := n.Option
	switch {
	case len(option) == 1:
		option = "-" + option
	case option != "":
		option = "--" + option
	}
	f, told := features[n.Code()]
	if n.Kind == curlcmd.UnknownOption {
		r.warnings.UnknownOption(option, at)
		return
	}
	if !told {
		return
	}
	if n.Place.Command > 0 || n.About != "" && at == nil {
		at = r.place(n.Place)
	}
	if about := cmp.Or(n.About, option, f.about); about != "" {
		r.warnings.AddNamed(f.feature, at, about)
		return
	}
	r.warnings.Add(f.feature, at)
}

// outputOptions concern what curl shows, or how an answer travels. Other formats
// have no word for them and need none; where answers are stored is told.
var outputOptions = strings.Fields(`silent show-error verbose include show-headers create-dirs create-file-mode remote-time fail
	fail-with-body fail-early progress-bar progress-meter trace trace-ascii trace-time trace-ids
	trace-config stderr buffer no-buffer styled-output compressed xattr disable parallel
	parallel-immediate parallel-max clobber libcurl raw keepalive basic skip-existing out-null
	remove-on-error etag-save`)

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
			case slices.Contains(outputOptions, strings.TrimPrefix(o.Name, "no-")):
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
	name := ""
	for name == "" || f.taken[name] {
		f.made++
		name = "file_" + strconv.Itoa(f.made)
	}
	f.api.Variables = append(f.api.Variables, &request.Variable{Name: name})
	return "{{" + name + "}}"
}
