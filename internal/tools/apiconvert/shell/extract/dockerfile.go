package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Patterns for an instruction of a Dockerfile, its flags, its here-documents, the other form of ENV, and a variable with
// its value.
var (
	dockerInstruction = expression.Lazy(`^\s*(?i:(FROM|RUN|CMD|ENTRYPOINT|HEALTHCHECK|ARG|ENV|SHELL|ADD|COPY|EXPOSE|LABEL|` +
		`MAINTAINER|ONBUILD|STOPSIGNAL|USER|VOLUME|WORKDIR))(?:\s+(.*))?$`)
	dockerFlags    = expression.Lazy(`^(?:--[a-z-]+(?:=\S*)?\s+)*`)
	dockerDocument = expression.Lazy(`<<(-?)["']?([A-Za-z_]\w*)["']?`)
	dockerAlone    = expression.Lazy(`^<<-?["']?[A-Za-z_]\w*["']?[ \t]*\n`)
	dockerSetting  = expression.Lazy(`^([A-Za-z_]\w*)[ \t]+([^=].*)$`)
	dockerPair     = expression.Lazy(`([A-Za-z_]\w*)(?:(=)((?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])*))?(?:\s+|$)`)
	shellShebang   = expression.Lazy(`^#! ?/\S*(?:/| )(?:ba|da|a)?sh\b`)
)

// dockerValue are the quotes and variables in the values of variables, and dockerQuoted those in double quotes.
var dockerValue, dockerQuoted = dockerReferences(`'([^']*)'|`), dockerReferences(`(a^)|`)

func dockerReferences(singleQuoted string) references {
	return references{
		pattern: expression.Lazy(singleQuoted + `"|\\(.)|\$\{([A-Za-z_]\w*)(:?[-+][^}]*)?\}|\$([A-Za-z_]\w*)`),
		with: func(m []string) (string, bool) {
			if m[0][0] != '$' {
				return m[1] + m[2], false
			}
			return "${" + m[3] + m[4] + m[5] + "}", true
		},
	}
}

// stage is a stage of a Dockerfile.
type stage struct {
	from         []string // the words of its first instruction
	line         int      // of that
	parent       *stage   // the stage that it begins with, if any
	depth        int      // the number of stages that it begins with
	instructions []dockerLine
}

// maxStages is how many stages one may begin with.
const maxStages = 10

// dockerLine is an instruction and its line.
type dockerLine struct {
	name, text string
	line       int
}

// dockerfile adds the commands of a Dockerfile.
func (f *file) dockerfile() (ok bool) {
	lines := strings.Split(f.text, "\n")
	global := &stage{}
	stages, named := []*stage{global}, map[string]*stage{}
	for i := 0; i < len(lines); i++ {
		if isEmpty(lines[i]) || isComment(lines[i]) {
			continue
		}
		m := dockerInstruction().FindStringSubmatch(lines[i])
		s := stages[len(stages)-1]
		if m == nil || s == global && !strings.EqualFold(m[1], "FROM") && !strings.EqualFold(m[1], "ARG") {
			return false
		}
		at := dockerLine{name: strings.ToUpper(m[1]), line: i + 1}
		at.text = dockerText(m[2], lines, &i)
		at.text = at.text[len(dockerFlags().FindString(at.text)):]
		if at.name != "FROM" {
			s.instructions = append(s.instructions, at)
			continue
		}
		s = &stage{from: strings.Fields(at.text + " -"), line: at.line}
		if s.parent = named[strings.ToLower(s.from[0])]; s.parent != nil {
			s.depth = s.parent.depth + 1
		}
		if len(s.from) > 3 && s.depth < maxStages {
			named[strings.ToLower(s.from[2])] = s
		}
		stages = append(stages, s)
	}
	for _, s := range stages[1:] {
		f.own("", s.line, func() { f.stage(s, global) })
	}
	return len(stages) > 1
}

// dockerText returns the text of an instruction that begins with text on line i, without comments, and with the
// here-documents below it. It leaves the last line in i.
func dockerText(text string, lines []string, i *int) string {
	all := []string{text}
	for last := text; continues(last) && *i+1 < len(lines); {
		*i++
		if last = lines[*i]; isComment(last) || isEmpty(last) {
			last = `\` // which a shell joins with the next line
		}
		all = append(all, last)
	}
	text = strings.Join(all, "\n")
	for _, m := range dockerDocument().FindAllStringSubmatch(text, -1) {
		all = []string{text}
		for *i+1 < len(lines) && len(all) > 0 {
			*i++
			all = append(all, lines[*i])
			if lines[*i] == m[2] || m[1] == "-" && strings.TrimLeft(lines[*i], "\t") == m[2] {
				break
			}
		}
		text = strings.Join(all, "\n")
	}
	return text
}

// stageState is what the instructions of a stage so far have set.
type stageState struct {
	image               string
	variables           map[string]bool // true for those of ENV, which an argument doesn't change
	shell               string
	entrypoint, command dockerLine
}

// stage adds the commands of a stage.
func (f *file) stage(s, global *stage) {
	state := stageState{variables: map[string]bool{}, shell: "/bin/sh"}
	f.inherit(s, global, &state)
	for _, at := range s.instructions {
		switch at.name {
		case "ENV", "ARG", "SHELL", "ENTRYPOINT", "CMD":
			f.set(at, global, &state)
		case "HEALTHCHECK":
			_, command, _ := strings.Cut(at.text, "CMD")
			f.run(state.shell, strings.TrimSpace(command), at.line)
		case "RUN":
			f.run(state.shell, at.text, at.line)
		case "ONBUILD":
			if callsCurl().MatchString(at.text) {
				f.unread = append(f.unread, at.line)
			}
		}
	}
	f.start(state)
}

// inherit sets what the stages before a stage have set.
func (f *file) inherit(s, global *stage, state *stageState) {
	if s.parent == nil {
		state.image = s.from[0]
		return
	}
	f.budget.Parts(1)
	f.inherit(s.parent, global, state)
	for _, at := range s.parent.instructions {
		f.set(at, global, state)
	}
}

// set reads an instruction that changes the state of a stage.
func (f *file) set(at dockerLine, global *stage, state *stageState) {
	text := strings.ReplaceAll(at.text, "\\\n", "")
	switch at.name {
	case "SHELL":
		state.shell = strings.Join(execForm(text)[:min(1, len(execForm(text)))], "")
	case "ENTRYPOINT":
		state.entrypoint, state.command = at, dockerLine{}
	case "CMD":
		state.command = at
	case "ENV", "ARG":
		pairs := dockerPair().FindAllStringSubmatch(text, -1)
		if m := dockerSetting().FindStringSubmatch(text); m != nil && at.name == "ENV" {
			pairs = [][]string{{"", m[1], "=", m[2]}}
		}
		for _, m := range slices.Backward(pairs) { // a value refers to the variables before the instruction
			name, value := m[1], m[3]
			if m[2] == "" {
				value = global.argument(name)
			}
			if value == "" || at.name == "ARG" && state.variables[name] {
				continue
			}
			word := dockerValue.word(value)
			if strings.HasPrefix(value, `"`) {
				word = dockerQuoted.word(value)
			}
			f.assign(name, word, at.line)
			state.variables[name] = at.name == "ENV"
		}
	}
}

// argument returns the value of an argument before the first stage.
func (s *stage) argument(name string) string {
	for _, at := range s.instructions {
		for _, m := range dockerPair().FindAllStringSubmatch(at.text, -1) {
			if m[1] == name {
				return m[3]
			}
		}
	}
	return ""
}

// run adds the command of an instruction.
func (f *file) run(shell, text string, line int) {
	if words := execForm(text); words != nil {
		f.own("", line, func() { f.program(words, noReferences, line) })
		return
	}
	if at := dockerAlone().FindString(text); at != "" { // RUN <<EOF: a script
		text = strings.TrimSuffix(text[len(at):max(len(at), strings.LastIndexByte(text, '\n'))], "\n")
	}
	if !shellName().MatchString(shell) || strings.HasPrefix(text, "#!") && !shellShebang().MatchString(text) {
		if callsCurl().MatchString(text) {
			f.unread = append(f.unread, line)
		}
		return
	}
	f.own("", line, func() { f.add(text, line, 1) })
}

// start adds the command that a container of the stage runs.
func (f *file) start(state stageState) {
	words := execForm(state.entrypoint.text)
	switch {
	case state.entrypoint.text == "" && execForm(state.command.text) == nil:
		f.run(state.shell, state.command.text, state.command.line)
		return
	case state.entrypoint.text == "":
		words = entrypoint(state.image, execForm(state.command.text))
	case words == nil:
		f.run(state.shell, state.entrypoint.text, state.entrypoint.line)
		return
	case execForm(state.command.text) != nil:
		words = append(words, execForm(state.command.text)...)
	}
	line := max(state.entrypoint.line, state.command.line)
	f.own("", line, func() { f.program(words, noReferences, line) })
}

// execForm returns the words of an instruction in the exec form, or nil.
func execForm(text string) (words []string) {
	if !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(strings.ReplaceAll(text, "\\\n", "")), &words) != nil {
		return nil
	}
	return words
}
