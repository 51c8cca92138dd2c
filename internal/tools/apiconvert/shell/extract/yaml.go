package extract

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

var (
	// yamlStart matches the first line of a YAML file that is not a comment.
	yamlStart = expression.Lazy(`^(?:[ \t]*(?:#.*)?\n)*(?:---|%YAML|- |["']?[A-Za-z_.$][\w .$/-]*["']?:(?:[ \t\n]|$))`)
	separator = expression.Lazy(`(?m)^---(?:[ \t].*)?$`)
)

// yamlDocument is one YAML document of a file.
type yamlDocument struct {
	*file
	document *tree.Document
	root     *tree.Value
	base     int             // its offset in the file
	read     map[string]bool // the strings that have been read

	references int // counts towards maxReferences
}

// yaml reads the files of GitHub Actions, GitLab CI, Compose and Kubernetes.
func (f *file) yaml() (ok bool) {
	if !yamlStart().MatchString(f.text) {
		return false
	}
	from := 0
	for _, at := range append(separator().FindAllStringIndex(f.text, -1), []int{len(f.text), len(f.text)}) {
		text := f.text[from:at[0]]
		if strings.TrimSpace(text) != "" {
			document, err := tree.ReadYAML(text, f.budget)
			if err != nil {
				f.reject(err, from)
				return false
			}
			y := &yamlDocument{file: f, document: document, root: document.Root, base: from, read: map[string]bool{}}
			ok = y.commands() || ok
			y.unreadCalls(y.root, 0)
		}
		from = at[1]
	}
	return ok
}

// ciKey matches keys that only YAML with commands has. A target of a Makefile has no key in it.
var ciKey = expression.Lazy(`(?m)^(?:jobs|services|stages|apiVersion):(?s:.*)^ +(?:- +)?[\w-]+:|` +
	`^ +(?:- +)?(?:(?:before_|after_)?script|run|steps|runs-on):`)

// reject keeps the failure of a document that begins at an offset, if it has such keys.
func (f *file) reject(err error, from int) {
	if failure, ok := err.(*convert.Failure); ok && failure.Code == convert.InvalidSource && ciKey().MatchString(f.text) {
		line := f.lineOf(from) + failure.Line - 1
		f.malformed = failure.Within(convert.InvalidSource,
			"This looks like a file of GitHub Actions, GitLab CI, Compose or Kubernetes.").At(f.text, f.starts[line-1]+failure.Column-1)
	}
}

// commands adds the commands of a document. ok is false if its format isn't supported.
func (y *yamlDocument) commands() (ok bool) {
	has := func(all *tree.Value, member string) bool {
		return slices.ContainsFunc(all.Values(), func(v *tree.Value) bool { return v.Has(member) })
	}
	services, added := y.root.Get("services"), y.added
	if !y.root.Has("services") && !has(y.root, "script") {
		services = y.root // without the name of the list
	}
	switch {
	case has(y.root.Get("jobs"), "runs-on"), y.root.Get("runs").Has("steps"):
		y.workflow()
	case y.root.Kind() == tree.Array && has(y.root, "run"): // steps without their job
		y.steps(y.root, nil)
	case has(services, "image"), has(services, "build"):
		y.compose(services)
	case y.isGitLab():
		y.gitLab()
	case foreignKind().MatchString(y.root.Get("apiVersion").Text()), helmTemplate().MatchString(y.file.text):
		return false
	default:
		y.containers(y.root)
		return y.added > added || y.root.Has("apiVersion") && y.root.Has("kind")
	}
	return true
}

// foreignKind matches the API groups of Kubernetes whose objects contain scripts with references of their own.
var foreignKind = expression.Lazy(`^(?:tekton\.dev|argoproj\.io)`)

var helmTemplate = expression.Lazy(`\{\{-? *(?:\.Values|\.Release|\.Chart|include|template|\$)`)

// unreadCalls records the strings that seem to call curl and have not been read.
func (y *yamlDocument) unreadCalls(v *tree.Value, depth int) {
	const least = 2 // a mapping of names and commands is notes
	if text := v.Text(); depth >= least && text != "" && !y.read[text] && paste.CallsCurl(text) {
		line, _ := y.origin(v)
		y.unread = append(y.unread, line)
	}
	for _, child := range v.Values() {
		y.unreadCalls(child, depth+1)
	}
}

// text returns a scalar, which counts as read.
func (y *yamlDocument) text(v *tree.Value) string {
	text, _ := v.Scalar()
	y.read[text] = true
	return text
}

// origin returns the line of the file that the first line of a string is from, and the number of lines to the next one.
func (y *yamlDocument) origin(v *tree.Value) (line, step int) {
	rest := y.file.text[y.offset(v):]
	switch line = y.line(v); {
	case strings.HasPrefix(rest, "|"):
		return line + 1, 1
	case strings.HasPrefix(rest, ">"):
		return line + 1, 0
	}
	return line, 0
}

// assignAll adds the assignments of a mapping.
func (y *yamlDocument) assignAll(variables *tree.Value, r references) {
	for name, value := range variables.Members() {
		y.assignValue(name, value, r)
	}
}

// assignValue adds an assignment of a scalar.
func (y *yamlDocument) assignValue(name string, value *tree.Value, r references) {
	if text, ok := value.Scalar(); ok {
		y.assign(name, r.word(text), y.line(value))
	}
}

// offset returns the offset of a value in the file.
func (y *yamlDocument) offset(v *tree.Value) int { return y.base + max(y.document.Offset(v), 0) }

// line returns the line of a value.
func (y *yamlDocument) line(v *tree.Value) int { return y.lineOf(y.offset(v)) }

// shell adds a script that a shell runs.
func (y *yamlDocument) shell(v *tree.Value, r references) {
	line, step := y.origin(v)
	y.add(r.script(y.text(v)), line, step)
}
