package extract

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

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
