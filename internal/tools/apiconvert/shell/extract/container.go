package extract

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

var (
	// curlImage matches the images whose entrypoint calls curl, unless the first argument is a command.
	curlImage    = expression.Lazy(`(?:^|/)(?:alpine-)?curl(?:$|[:@])`)
	curlArgument = expression.Lazy(`^(?:[-$]|[^/]*[.:])`)
)

// entrypoint returns the words of a container's command with the image's own entrypoint, if that is known.
func entrypoint(image string, words []string) []string {
	if len(words) > 0 && curlImage().MatchString(image) && curlArgument().MatchString(words[0]) {
		return append([]string{"curl"}, words...)
	}
	return words
}

// program adds the command that a container runs: arguments of a program, or a script for a shell.
func (f *file) program(words []string, r references, line int) {
	if len(words) == 0 {
		return
	}
	if s := shellScript(words); s >= 0 {
		f.add(r.script(words[s]), line, 0)
	} else {
		f.add(r.command(words), line, 0)
	}
}

// shellScript returns the index of the script among the arguments of a shell, or -1.
func shellScript(words []string) int {
	if !shellName().MatchString(words[0]) {
		return -1
	}
	for i, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			return -1
		}
		if strings.HasSuffix(w, "c") && !strings.HasPrefix(w, "--") && i+2 < len(words) {
			return i + 2
		}
	}
	return -1
}

var shellName = expression.Lazy(`^(?:.*/)?(?:ba|da|a|k|z)?sh$`)

// composeValue are the variables that Compose replaces. A message for one that is not set is dropped.
var composeValue = references{
	pattern: expression.Lazy(`\$\$|\$\{([A-Za-z_]\w*)(?:(:?[-+][^{}]*)|:?\?[^{}]*)?\}|\$([A-Za-z_]\w*)`),
}

// compose adds the commands of the services of a Compose file and their health checks.
func (y *yamlDocument) compose(services *tree.Value) {
	for _, service := range services.Values() {
		words, line := y.words(service.Get("command"))
		if first, firstLine := y.words(service.Get("entrypoint")); first == nil {
			words = entrypoint(service.Get("image").Text(), words)
		} else if words = append(first, words...); len(words) == len(first) {
			line = firstLine
		}
		y.container(service, words, line)
		test, line := y.words(service.Get("healthcheck").Get("test"))
		if v := service.Get("healthcheck").Get("test"); v.Kind() == tree.String {
			test = []string{"CMD-SHELL", v.Text()}
		}
		switch {
		case len(test) > 1 && test[0] == "CMD":
			y.container(service, test[1:], line)
		case len(test) > 1 && test[0] == "CMD-SHELL":
			y.container(service, []string{"sh", "-c", test[1]}, line)
		}
	}
}

// container adds a command of a service, with its environment.
func (y *yamlDocument) container(service *tree.Value, words []string, line int) {
	if len(words) == 0 {
		return
	}
	y.own("", line, func() {
		if shellScript(words) >= 0 { // only a shell uses it
			y.assignAll(service.Get("environment"), composeValue)
			for _, v := range service.Get("environment").Elements() {
				if name, value, ok := strings.Cut(v.Text(), "="); ok {
					y.assign(name, composeValue.word(value), y.line(v))
				}
			}
		}
		y.program(words, composeValue, line)
	})
}

// words returns a command of Compose, a list of arguments or a string, and its line.
func (y *yamlDocument) words(v *tree.Value) (words []string, line int) {
	line, _ = y.origin(v)
	if v.Kind() != tree.Array {
		return split(y.text(v)), line
	}
	for _, element := range v.Elements() {
		words = append(words, y.text(element))
	}
	return words, line
}

// split returns the arguments in a string, which no shell reads, as Compose does. An operator of a shell ends them.
func split(text string) (words []string) {
	var word []byte
	quote, inWord := byte(0), false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			word, inWord = append(word, text[i]), true
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inWord = c, true
		case c == quote:
			quote = 0
		case quote == 0 && strings.IndexByte(";&|<>", c) >= 0:
			text = text[:i]
		case quote != 0 || strings.IndexByte(" \t\r\n", c) < 0:
			word, inWord = append(word, c), true
		case inWord:
			words, word, inWord = append(words, string(word)), nil, false
		}
	}
	if inWord {
		words = append(words, string(word))
	}
	return words
}

// containers adds the commands of the containers anywhere in an object of Kubernetes.
func (y *yamlDocument) containers(v *tree.Value) {
	for _, key := range []string{"initContainers", "containers"} {
		for _, c := range v.Get(key).Elements() {
			y.kubernetes(c)
		}
	}
	for _, child := range v.Values() {
		y.containers(child)
	}
}

// kubernetes adds the commands of one container: its own, the probes and the hooks.
func (y *yamlDocument) kubernetes(c *tree.Value) {
	known := map[string]bool{}
	r := references{pattern: expression.Lazy(`\$\$|\$\(([A-Za-z_][\w.-]*)\)`), with: func(m []string) (string, bool) {
		if !known[m[1]] {
			return m[0], false
		}
		return "${" + m[1] + "}", true
	}}
	words, line := y.words(c.Get("args"))
	if first, firstLine := y.words(c.Get("command")); first == nil {
		words = entrypoint(c.Get("image").Text(), words)
	} else {
		words, line = append(first, words...), firstLine
	}
	y.own("", line, func() {
		for _, v := range c.Get("env").Elements() {
			name := v.Get("name").Text()
			y.assignValue(name, v.Get("value"), r)
			known[name] = script.IsName(name)
		}
		y.program(words, r, line)
		for _, key := range []string{"livenessProbe", "readinessProbe", "startupProbe"} {
			y.exec(c.Get(key))
		}
		y.exec(c.Get("lifecycle").Get("postStart"))
		y.exec(c.Get("lifecycle").Get("preStop"))
	})
}

// exec adds the command of a probe or hook, in which Kubernetes replaces nothing.
func (y *yamlDocument) exec(v *tree.Value) {
	words, line := y.words(v.Get("exec").Get("command"))
	y.own("", line, func() { y.program(words, noReferences, line) })
}
