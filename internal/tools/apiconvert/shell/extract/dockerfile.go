package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
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
	// dockerSpecial matches what a shell would read in the value of a variable, but Docker doesn't, and strings in quotes.
	dockerSpecial = expression.Lazy("'[^']*'|\"(?:[^\"\\\\]|\\\\.)*\"|\\\\.|[ \t;&|<>()`#~]")
)

// stage is a stage of a Dockerfile.
type stage struct {
	image        string
	line         int
	instructions []dockerLine
}

// dockerLine is an instruction and its line.
type dockerLine struct {
	name, text string
	line       int
}

// dockerfile adds the commands of a Dockerfile.
func (f *file) dockerfile() (ok bool) {
	lines := strings.Split(f.text, "\n")
	arguments := map[string]string{} // before the first stage
	var stages []*stage
	named := map[string]*stage{}
	for i := 0; i < len(lines); i++ {
		if isEmpty(lines[i]) || isComment(lines[i]) {
			continue
		}
		m := dockerInstruction().FindStringSubmatch(lines[i])
		if m == nil {
			return false
		}
		at := dockerLine{name: strings.ToUpper(m[1]), line: i + 1}
		at.text = dockerText(m[2], lines, &i)
		at.text = at.text[len(dockerFlags().FindString(at.text)):]
		switch {
		case at.name == "FROM":
			words := strings.Fields(at.text + " -")
			s := &stage{image: words[0], line: at.line}
			s.inherit(named[strings.ToLower(words[0])])
			if len(words) > 3 {
				named[strings.ToLower(words[2])] = s
			}
			stages = append(stages, s)
		case len(stages) > 0:
			stages[len(stages)-1].instructions = append(stages[len(stages)-1].instructions, at)
		case at.name == "ARG":
			for _, m := range dockerPair().FindAllStringSubmatch(at.text, -1) {
				arguments[m[1]] = m[3]
			}
		default:
			return false
		}
	}
	for _, s := range stages {
		f.own("", s.line, func() { f.stage(s, arguments) })
	}
	return len(stages) > 0
}

// maxInherited limits how many instructions a stage may have to be the beginning of others.
const maxInherited = 100

// inherit adds the instructions of the stage that s begins with which apply to s, too.
func (s *stage) inherit(parent *stage) {
	if parent == nil || len(parent.instructions) > maxInherited {
		return
	}
	s.image = parent.image
	for _, at := range parent.instructions {
		if slices.Contains([]string{"ARG", "ENV", "SHELL", "ENTRYPOINT", "CMD"}, at.name) {
			s.instructions = append(s.instructions, at)
		}
	}
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

// stage adds the commands of a stage.
func (f *file) stage(s *stage, arguments map[string]string) {
	shell, fixed := "/bin/sh", map[string]bool{} // the variables of ENV, which an argument doesn't change
	var entrypoint, command dockerLine
	for _, at := range s.instructions {
		switch at.name {
		case "ENV", "ARG":
			f.settings(at, arguments, fixed)
		case "SHELL":
			shell = strings.Join(execForm(at.text)[:min(1, len(execForm(at.text)))], "")
		case "ENTRYPOINT":
			entrypoint, command = at, dockerLine{}
		case "CMD":
			command = at
		case "HEALTHCHECK":
			_, test, _ := strings.Cut(at.text, "CMD")
			f.run(shell, strings.TrimSpace(test), at.line)
		case "RUN":
			f.run(shell, at.text, at.line)
		case "ONBUILD":
			if paste.CallsCurl(at.text) {
				f.unread = append(f.unread, at.line)
			}
		}
	}
	f.start(s.image, shell, entrypoint, command)
}

// settings adds the variables of an instruction.
func (f *file) settings(at dockerLine, arguments map[string]string, fixed map[string]bool) {
	text := strings.ReplaceAll(at.text, "\\\n", "")
	pairs := dockerPair().FindAllStringSubmatch(text, -1)
	if m := dockerSetting().FindStringSubmatch(text); m != nil && at.name == "ENV" {
		pairs = [][]string{{"", m[1], "=", m[2]}}
	}
	for _, m := range slices.Backward(pairs) { // a value refers to the variables before the instruction
		name, value := m[1], m[3]
		if m[2] == "" {
			value = arguments[name]
		}
		if value == "" || at.name == "ARG" && fixed[name] {
			continue
		}
		f.assign(name, dockerSpecial().ReplaceAllStringFunc(value, func(match string) string {
			switch {
			case len(match) == 1:
				return `\` + match
			case match[0] == '"':
				return dockerQuoted.Replace(match)
			}
			return match
		}), at.line)
		fixed[name] = at.name == "ENV"
	}
}

// dockerQuoted escapes what a shell would run in double quotes.
var dockerQuoted = strings.NewReplacer(`\`+"`", `\`+"`", `\$`, `\$`, "`", "\\`", "$(", `\$(`)

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
		if paste.CallsCurl(text) {
			f.unread = append(f.unread, line)
		}
		return
	}
	f.own("", line, func() { f.add(text, line, 1) })
}

// start adds the command that a container of a stage runs.
func (f *file) start(image, shell string, first, command dockerLine) {
	words, arguments := execForm(first.text), execForm(command.text)
	switch {
	case first.text == "" && arguments == nil:
		f.run(shell, command.text, command.line)
		return
	case first.text == "":
		words = entrypoint(image, arguments)
	case words == nil:
		f.run(shell, first.text, first.line)
		return
	default:
		words = append(words, arguments...)
	}
	line := max(first.line, command.line)
	f.own("", line, func() { f.program(words, noReferences, line) })
}

// execForm returns the words of an instruction in the exec form, or nil.
func execForm(text string) (words []string) {
	if !strings.HasPrefix(text, "[") || json.Unmarshal([]byte(strings.ReplaceAll(text, "\\\n", "")), &words) != nil {
		return nil
	}
	return words
}
