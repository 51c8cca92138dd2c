package curl

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// note is a warning about a request or about the script: a feature and the name of its subject.
type note struct {
	feature warning.Feature
	about   string
}

// unknownOption is the feature for an option that curl doesn't have.
var unknownOption warning.Feature

func (n note) report(warnings *warning.List, at warning.Place) {
	switch {
	case n.feature == unknownOption:
		warnings.UnknownOption(n.about, at)
	case n.about == "":
		warnings.Add(n.feature, at)
	default:
		warnings.AddNamed(n.feature, at, n.about)
	}
}

const unknownArguments = "unknown arguments"

// shellWarnings maps notes of the shell reader to warnings. Other notes, such as prompts and Markdown around the
// commands, cause no warning.
var shellWarnings = map[script.Note]note{
	script.ArithmeticUsed:     {warning.LostShellSyntax, "$((…))"},
	script.ProcessSubstituted: {warning.LostShellSyntax, "<(…)"},
	script.ArgumentsUnknown:   {warning.LostShellSyntax, unknownArguments},
	script.ExpansionUnknown:   {warning.LostShellSyntax, "${…}"},
	script.AmpersandKept:      {warning.ChangedShellText, "&"},
	script.ParenthesisKept:    {warning.ChangedShellText, "(…)"},
	script.ContinuationAdded:  {warning.ChangedShellText, "an option on a line of its own"},
	script.TypographyFixed:    {warning.ChangedShellText, "typographic quotes and dashes"},
	script.NotUnicode:         {warning.ChangedShellText, "escapes that are not valid UTF-8"},
	script.CmdDialect:         {warning.ChangedDialect, "Windows cmd"},
	script.PowerShellDialect:  {warning.ChangedDialect, "PowerShell"},
}

// shellNotes returns the warnings about a command, or about a script if ofScript is set. Unknown expansions are only
// reported per command.
func shellNotes(notes []script.Note, ofScript bool) []note {
	var all []note
	for _, n := range notes {
		if w, ok := shellWarnings[n]; ok && !(ofScript && w.feature == warning.LostShellSyntax) {
			all = append(all, w)
		}
	}
	return all
}

// commandNotes returns what the requests of a command don't show: how its words were read, where its output goes, and
// the constructs around it.
func commandNotes(cmd *script.Command) []note {
	notes := shellNotes(cmd.Notes, false)
	if cmd.Within&script.Substitution == 0 {
		if cmd.PipesInto != "" {
			notes = append(notes, note{warning.LostPipes, strings.TrimPrefix("| "+cmd.PipesInto, "| |")})
		} else if file, written := outputFile(cmd); written {
			notes = append(notes, note{warning.LostPipes, file})
		}
	}
	for _, w := range cmd.Words {
		for _, p := range w {
			if p.File != "" {
				notes = append(notes, note{warning.LostLocalFiles, p.File})
			}
		}
	}
	if cmd.Within&script.Loop != 0 {
		notes = append(notes, note{warning.LostShellSyntax, "a loop"})
	}
	if cmd.Within&script.Conditional != 0 {
		notes = append(notes, note{warning.LostShellSyntax, "a condition"})
	}
	return notes
}

// outputFile returns the file that > redirects a command's output to, if any.
func outputFile(cmd *script.Command) (file string, written bool) {
	for _, r := range cmd.Redirects {
		if r.FD != 1 {
			continue
		}
		var text strings.Builder
		for _, p := range r.Target {
			if p.Kind != script.Literal {
				text.WriteByte('$')
			}
			text.WriteString(p.Text)
		}
		written = written || strings.HasPrefix(r.Op, ">") && r.Op != ">&" && text.String() != "/dev/null"
		if file == "" && text.Len() > 0 {
			file = "> " + text.String()
		}
	}
	return file, written
}

// Portable prepares a model from Read for formats other than shell. JSON that curl sends as a form gets its own media
// type, and options that only affect curl's output are dropped. It reports what only curl can express.
func Portable(api *request.API, warnings *warning.List) {
	for _, r := range api.Requests {
		kept := r.Transport[:0]
		for _, o := range r.Transport {
			known := syntax.Long(strings.TrimPrefix(o.Name, "no-"))
			switch {
			case known != nil && known.Shows:
			case o.Name == "config": // reported by Read
			case o.Name == "header" && strings.HasPrefix(o.Value, "@"):
				warnings.AddNamed(warning.LostLocalFiles, r.Place, o.Value[1:])
			case o.Name == "header":
				warnings.AddNamed(warning.LostHeaderRemoval, r.Place, strings.TrimSuffix(o.Value, ":"))
			default:
				kept = append(kept, o)
			}
		}
		r.Transport = kept
		for _, b := range r.Bodies {
			if b.TypeGuessed {
				b.MediaType = request.JSONType
				warnings.Add(warning.ChangedMediaType, r.Place)
			}
			if b.Kind == request.File && b.Path != "" { // standard input has its own warning
				warnings.AddNamed(warning.LostLocalFiles, r.Place, b.Path)
			}
		}
	}
}

// ShellNames returns a text of the model with its variables as a shell writes them.
func ShellNames(text string) string {
	return request.Substitute(text, func(name string) string { return "$" + name })
}
