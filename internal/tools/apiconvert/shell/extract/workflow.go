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

// gitLab adds the jobs of GitLab CI. Hidden jobs, which begin with a dot, are only parts of others. Jobs that extend others
// are not read.
func (y *yamlDocument) gitLab() {
	for name, job := range y.root.Members() {
		if strings.HasPrefix(name, ".") || name == "default" || !job.Has("script") || job.Has("extends") {
			continue
		}
		own := func(keys ...string) {
			y.own("", y.line(job), func() {
				y.variables(job.Get("variables"), y.root.Get("variables"))
				for _, key := range keys {
					y.lists(cmp.Or(job.Get(key), y.root.Get("default").Get(key), y.root.Get(key)))
				}
			})
		}
		own("before_script", "script")
		own("after_script")
	}
}

// variables adds the variables of a job and of the file, each after those that it refers to.
func (y *yamlDocument) variables(job, all *tree.Value) {
	added := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		value := cmp.Or(job.Get(name), all.Get(name))
		if value.Kind() == tree.Object {
			value = value.Get("value")
		}
		if added[name] || value == nil {
			return
		}
		added[name] = true
		text, _ := value.Scalar()
		for _, m := range gitLabValue.pattern().FindAllStringSubmatch(text, -1) {
			add(m[1] + m[2])
		}
		y.assignValue(name, value, gitLabValue)
	}
	for _, name := range append(job.Names(), all.Names()...) {
		add(name)
	}
}

// lists adds a script: a string, or a list of strings and lists. It skips references to lists elsewhere.
func (y *yamlDocument) lists(v *tree.Value) {
	y.budget.Parts(1)
	switch {
	case v == nil, strings.HasPrefix(y.file.text[y.offset(v):], "!reference"):
	case v.Kind() == tree.Array:
		for _, element := range v.Elements() {
			y.lists(element)
		}
	default:
		y.shell(v, noReferences)
	}
}
