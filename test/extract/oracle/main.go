// Command oracle reads a Dockerfile, a Compose file or manifests of Kubernetes from standard input, with the libraries of
// Docker, Compose and Kubernetes, and prints the commands that they run as a shell script. It is a module of its own, so
// that building convertd does not fetch them.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/buildkit/frontend/dockerfile/shell"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// script is the script to print.
type script struct{ strings.Builder }

// run adds a command that runs with the given environment only. The curl images run curl unless the first argument is
// a command.
func (s *script) run(environment, argv []string) {
	if len(argv) == 0 || argv[0] == "" {
		return
	}
	var words []string
	for _, w := range append(append([]string{"env"}, environment...), argv...) {
		words = append(words, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
	}
	fmt.Fprintln(s, strings.Join(words, " "))
}

// withImage returns what a container runs: the entrypoint of a curl image is a script that adds curl in front of options
// and addresses.
func withImage(image string, entrypoint, command []string) []string {
	name := strings.Split(image[strings.LastIndex(image, "/")+1:], ":")[0]
	if len(entrypoint) == 0 && name == "curl" && len(command) > 0 && (command[0][0] == '-' || strings.Contains(command[0], ":")) {
		return append([]string{"curl"}, command...)
	}
	return append(append([]string{}, entrypoint...), command...)
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	s := &script{}
	if err == nil {
		err = map[string]func(*script, []byte) error{
			"dockerfile": dockerfile, "compose": compose, "kubernetes": kubernetes,
		}[os.Args[1]](s, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Print(s.String())
}

func compose(s *script, text []byte) error {
	environment := types.NewMapping(os.Environ())
	project, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}}, Environment: environment,
	}, func(o *loader.Options) { o.SetProjectName("test", true); o.SkipConsistencyCheck = true })
	if err != nil {
		return err
	}
	for _, name := range project.ServiceNames() {
		service := project.Services[name]
		var env []string
		for name, value := range service.Environment {
			if value != nil {
				env = append(env, name+"="+*value)
			}
		}
		s.run(env, withImage(service.Image, service.Entrypoint, service.Command))
		if h := service.HealthCheck; h != nil && len(h.Test) > 1 {
			if h.Test[0] == "CMD-SHELL" {
				s.run(env, []string{"/bin/sh", "-c", h.Test[1]})
			} else {
				s.run(env, h.Test[1:])
			}
		}
	}
	return nil
}

func dockerfile(s *script, text []byte) error {
	file, err := parser.Parse(bytes.NewReader(text))
	if err != nil {
		return err
	}
	stages, global, err := instructions.Parse(file.AST, nil)
	if err != nil {
		return err
	}
	defaults := map[string]string{}
	for _, arg := range global {
		for _, a := range arg.Args {
			if a.Value != nil {
				defaults[a.Key] = *a.Value
			}
		}
	}
	done := map[string]*image{}
	for i, stage := range stages {
		state := &image{lex: shell.NewLex('\\'), defaults: defaults, shell: []string{"/bin/sh", "-c"}}
		if base := done[stage.BaseName]; base != nil {
			state.env, state.args, state.shell = append([]string{}, base.env...), append([]string{}, base.args...), base.shell
			state.entrypoint, state.cmd, state.name = base.entrypoint, base.cmd, base.name
		} else {
			state.name = stage.BaseName
		}
		for _, command := range stages[i].Commands {
			if err := state.command(s, command); err != nil {
				return err
			}
		}
		s.run(state.environment(), withImage(state.name, state.entrypoint, state.cmd))
		done[stage.Name] = state
	}
	return nil
}

// image is what the instructions of a stage have set.
type image struct {
	lex             *shell.Lex
	name            string
	defaults        map[string]string
	env, args       []string
	shell           []string
	entrypoint, cmd []string
}

// environment returns the variables of a command: those of ENV win.
func (i *image) environment() []string { return append(append([]string{}, i.args...), i.env...) }

func (i *image) argv(c instructions.ShellDependantCmdLine) []string {
	if !c.PrependShell {
		return c.CmdLine
	}
	line := strings.Join(c.CmdLine, " ")
	for _, f := range c.Files {
		if line == "<<"+f.Name {
			line = f.Data
		} else {
			line += "\n" + f.Data + f.Name
		}
	}
	return append(append([]string{}, i.shell...), line)
}

func (i *image) command(s *script, command instructions.Command) error {
	switch c := command.(type) {
	case *instructions.EnvCommand:
		before := i.environment()
		for _, pair := range c.Env {
			value, _, err := i.lex.ProcessWord(pair.Value, shell.EnvsFromSlice(before))
			if err != nil {
				return err
			}
			i.env = append(i.env, pair.Key+"="+value)
		}
	case *instructions.ArgCommand:
		for _, arg := range c.Args {
			value, known := i.defaults[arg.Key]
			if arg.Value != nil {
				word, _, err := i.lex.ProcessWord(*arg.Value, shell.EnvsFromSlice(i.environment()))
				if err != nil {
					return err
				}
				value, known = word, true
			}
			if known {
				i.args = append(i.args, arg.Key+"="+value)
			}
		}
	case *instructions.ShellCommand:
		i.shell = c.Shell
	case *instructions.RunCommand:
		s.run(i.environment(), i.argv(c.ShellDependantCmdLine))
	case *instructions.CmdCommand:
		i.cmd = i.argv(c.ShellDependantCmdLine)
	case *instructions.EntrypointCommand:
		i.entrypoint, i.cmd = i.argv(c.ShellDependantCmdLine), nil
	case *instructions.HealthCheckCommand:
		if t := c.Health.Test; len(t) > 1 && t[0] == "CMD" {
			s.run(i.environment(), t[1:])
		} else if len(t) > 1 {
			s.run(i.environment(), append(append([]string{}, i.shell...), t[1]))
		}
	}
	return nil
}

func kubernetes(s *script, text []byte) error {
	reader := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var object any
		if err == nil {
			err = yaml.Unmarshal(document, &object)
		}
		if err == nil {
			err = pods(s, object)
		}
		if err != nil {
			return err
		}
	}
}

// pods adds the containers of all pod specifications in an object.
func pods(s *script, object any) error {
	switch v := object.(type) {
	case []any:
		for _, element := range v {
			if err := pods(s, element); err != nil {
				return err
			}
		}
	case map[string]any:
		if _, ok := v["containers"]; ok {
			text, err := json.Marshal(v)
			var spec core.PodSpec
			if err == nil {
				err = json.Unmarshal(text, &spec)
			}
			for _, c := range append(spec.InitContainers, spec.Containers...) {
				container(s, c)
			}
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := pods(s, v[name]); err != nil {
				return err
			}
		}
	}
	return nil
}

// container adds the commands of a container. A value that comes from elsewhere is that of the same variable outside.
func container(s *script, c core.Container) {
	values := map[string]string{}
	var env []string
	for _, v := range c.Env {
		value := expand(v.Value, values)
		if v.ValueFrom != nil {
			value = os.Getenv(v.Name)
		}
		values[v.Name] = value
		env = append(env, v.Name+"="+value)
	}
	all := func(words []string) (expanded []string) {
		for _, w := range words {
			expanded = append(expanded, expand(w, values))
		}
		return expanded
	}
	s.run(env, withImage(c.Image, all(c.Command), all(c.Args)))
	for _, probe := range []*core.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		if probe != nil && probe.Exec != nil {
			s.run(env, probe.Exec.Command)
		}
	}
	if c.Lifecycle != nil && c.Lifecycle.PostStart != nil && c.Lifecycle.PostStart.Exec != nil {
		s.run(env, c.Lifecycle.PostStart.Exec.Command)
	}
}

// expand replaces $(NAME) as documented for Container.Args: "$$" is "$", and an unknown variable stays.
func expand(text string, values map[string]string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		end := strings.IndexByte(text[i:], ')')
		switch {
		case strings.HasPrefix(text[i:], "$$"):
			out.WriteByte('$')
			i++
		case strings.HasPrefix(text[i:], "$(") && end > 0:
			name := text[i+2 : i+end]
			if value, known := values[name]; known {
				out.WriteString(value)
			} else {
				out.WriteString(text[i : i+end+1])
			}
			i += end
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}
