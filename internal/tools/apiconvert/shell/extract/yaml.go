package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
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

// github are the expressions of GitHub Actions. The repository has two parts in paths.
var github = references{
	pattern: expression.Lazy(`\$\{\{\s*(?:(?:env|secrets|vars|(?:github\.event\.)?inputs|matrix)\.)?((?:[^{}]|\{[^{}]*\})*?)\s*\}\}`),
	with: func(m []string) (string, bool) {
		if m[1] == "github.repository" {
			return "${owner}/${repo}", true
		}
		return "${" + variableName(m[1]) + "}", true
	},
}

// variableName returns the name of the variable that an expression becomes.
func variableName(expression string) string {
	name := strings.Trim(notName().ReplaceAllString(expression, "_"), "_")
	if name == "" || !script.IsNameStart(name[0]) {
		return "expression_" + name
	}
	return name
}

var notName = expression.Lazy(`[^A-Za-z0-9_]+`)

// workflow adds the steps of a workflow or a composite action of GitHub Actions. Its inputs have their defaults.
func (y *yamlDocument) workflow() {
	on := y.root.Get("on")
	for _, from := range []*tree.Value{y.root, on.Get("workflow_call"), on.Get("workflow_dispatch")} {
		for name, input := range from.Get("inputs").Members() {
			y.assignValue(variableName(name), input.Get("default"), noReferences)
		}
	}
	y.assignAll(y.root.Get("env"), github)
	y.steps(y.root.Get("runs").Get("steps"), nil)
	for _, job := range y.root.Get("jobs").Members() {
		y.own("", y.line(job), func() {
			y.assignAll(job.Get("env"), github)
			y.steps(job.Get("steps"), cmp.Or(job.Get("defaults").Get("run").Get("shell"), y.root.Get("defaults").Get("run").Get("shell")))
		})
	}
}

// steps adds the steps that a POSIX shell runs.
func (y *yamlDocument) steps(steps, shell *tree.Value) {
	for _, step := range steps.Elements() {
		run := step.Get("run")
		name, _, _ := strings.Cut(cmp.Or(step.Get("shell"), shell).Text(), " ")
		if run == nil || !slices.Contains([]string{"", "bash", "sh"}, name) {
			continue
		}
		line, _ := y.origin(run)
		y.own(step.Get("name").Text(), line, func() {
			y.assignAll(step.Get("env"), github)
			y.shell(run, github)
		})
	}
}

// gitLabValue are the references of GitLab CI in the values of its variables.
var gitLabValue = references{pattern: expression.Lazy(`\$\$|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)`)}

// noReferences is for scripts that only a shell reads.
var noReferences = references{pattern: expression.Lazy(`a^`)}

// isGitLab reports whether a document has a job of GitLab CI.
func (y *yamlDocument) isGitLab() bool {
	if y.root.Has("language") || y.root.Has("pipelines") || y.root.Has("version") {
		return false
	}
	for name, job := range y.root.Members() {
		if name != "default" && job.Has("script") {
			return true
		}
	}
	return false
}

// gitLab adds the jobs of GitLab CI. Hidden jobs, which begin with a dot, are only parts of others.
func (y *yamlDocument) gitLab() {
	for _, name := range y.root.Names() {
		job := y.root.Get(name)
		if strings.HasPrefix(name, ".") || name == "default" || job.Kind() != tree.Object {
			continue
		}
		parts := y.extended(job, nil)
		get := func(key string) *tree.Value {
			for _, part := range append(slices.Clip(parts), y.root.Get("default"), y.root) {
				if v := part.Get(key); v != nil {
					return v
				}
			}
			return nil
		}
		if get("script") == nil || !job.Has("script") && !job.Has("extends") {
			continue
		}
		line := y.line(job)
		own := func(scripts ...*tree.Value) {
			y.own("", line, func() {
				y.variables(append(slices.Clip(parts), y.root))
				for _, s := range scripts {
					y.lists(s, 0)
				}
			})
		}
		own(get("before_script"), get("script"))
		if after := get("after_script"); after != nil {
			own(after)
		}
	}
}

// Limits on the jobs that a job extends (GitLab allows 11 levels) and on the references to lists of a file.
const (
	maxExtended   = 100
	maxReferences = 1000
)

// extended returns a job and the jobs that it extends, the nearest first.
func (y *yamlDocument) extended(job *tree.Value, found []*tree.Value) []*tree.Value {
	if job == nil || len(found) >= maxExtended || slices.Contains(found, job) {
		return found
	}
	y.budget.Parts(1)
	found = append(found, job)
	names := job.Get("extends").Elements()
	if job.Get("extends").Text() != "" {
		names = []*tree.Value{job.Get("extends")}
	}
	for _, name := range slices.Backward(names) {
		found = y.extended(y.root.Get(name.Text()), found)
	}
	return found
}

// variables adds the variables of a job, the first of which wins, each after those that it refers to.
func (y *yamlDocument) variables(parts []*tree.Value) {
	values := map[string]*tree.Value{}
	var names []string
	for _, part := range parts {
		for name, value := range part.Get("variables").Members() {
			if value.Kind() == tree.Object {
				value = value.Get("value")
			}
			if values[name] == nil && value != nil {
				values[name], names = value, append(names, name)
			}
		}
	}
	added := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		if added[name] || values[name] == nil {
			return
		}
		added[name] = true
		text, _ := values[name].Scalar()
		for _, m := range gitLabValue.pattern().FindAllStringSubmatch(text, -1) {
			add(m[1] + m[2])
		}
		y.assignValue(name, values[name], gitLabValue)
	}
	for _, name := range names {
		add(name)
	}
}

// lists adds a script: a string, or a list of strings, lists and references to lists.
func (y *yamlDocument) lists(v *tree.Value, depth int) {
	y.budget.Parts(1)
	if v.Kind() != tree.Array {
		if v != nil {
			y.shell(v, noReferences)
		}
		return
	}
	isReference := strings.HasSuffix(strings.TrimRight(y.file.text[:y.offset(v)], " \t"), "!reference")
	if isReference && v.Len() == 2 && depth < maxDepth && y.references < maxReferences {
		y.references++
		if v = y.root.Get(v.Element(0).Text()).Get(v.Element(1).Text()); v != nil {
			y.lists(v, depth+1)
		}
		return
	}
	for _, element := range v.Elements() {
		y.lists(element, depth+1)
	}
}
