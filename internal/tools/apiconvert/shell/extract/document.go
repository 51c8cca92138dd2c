package extract

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Patterns for documents: a heading of AsciiDoc or Markdown, the line below one, the attributes of a listing of AsciiDoc
// and the lines around it, a directive of reStructuredText, and a sentence before an indented block.
var (
	heading      = expression.Lazy(`^(?:={1,6}|#{1,6}) +(.*?)[ #]*$|^\.([A-Z][^.].*)$`)
	fence        = expression.Lazy("^ *(```|~~~)([\\w-]*)[^`]*$")
	underline    = expression.Lazy("^(?:={3,}|-{3,}|~{3,}|\\^{3,}|\"{3,}|\\+{3,}|\\*{3,}|#{3,})$")
	attributes   = expression.Lazy(`^\[(?:subs=.*|(?:(?:source|listing)[%\w]*|)(?:, *"?([\w-]*)"?)?(?:, *[\w-]+=.*)?)\]$`)
	callout      = expression.Lazy(`(?m)(?: +(?:#|//)?)?(?: *<\d+>)+ *$`)
	delimiter    = expression.Lazy(`^(?:-{4,}|\.{4,})$`)
	literalBlock = "...." // of AsciiDoc; more dots may underline a title of reStructuredText
	directive    = expression.Lazy(`^\s*\.\. (?:code-block|code|sourcecode|prompt)::\s*(\S*).*$`)
	introduction = expression.Lazy(`^(?:\s*(?:[-*+•]|\d+[.)])\s+)?(?:[A-Z][A-Za-z']*(?:,? .*)?|[A-Z"'\x60*_(].*[:.][*_]{0,2})$|::$`)
	plainCommand = expression.Lazy(`^(?:[$#%>] )?(?:sudo )?curl(?:\.exe)? `)
	// onlyShell matches lines of a script that no document has outside of its blocks: a row of a table ends with |, too.
	onlyShell = expression.Lazy(`^(?:[^|]+\|$|.*(?:<<|[;{&]$)|[A-Za-z_]\w*=|(?:for \w+ in|export \w+|set [-+]\w+|exit \d|function \w+|echo|cat) |` +
		`(?:if|while|until) (?:.*; *(?:do|then)|\[.*\])$|case .* in$|(?:fi|done|esac)(?:$| *[;|&<>])|[})])`)
	example = expression.Lazy(`(?m)\bcurl(?:\.exe)? |^\s*(?:[$%] )?(?:export )?[A-Za-z_]\w*=`)
)

// exampleLanguages are the languages of blocks that may hold commands.
var exampleLanguages = script.SetOf("sh bash shell zsh console terminal curl text none shell-session bash-session default", "")

// document adds the blocks with commands of AsciiDoc, of reStructuredText and of Markdown without fences.
func (f *file) document() (ok bool) {
	lines := strings.Split(f.text, "\n")
	fenced, indented := false, false
	title, introduced := "", false // whether an indented block may follow
	language, listing := "", false // the attributes directly above
	for i := 0; i < len(lines); {
		line, first := lines[i], i
		m := attributesOf(line)
		switch {
		case strings.HasPrefix(line, "#!"):
			return false
		case fence().MatchString(line):
			m := fence().FindStringSubmatch(line)
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != m[1]; i++ {
			}
			ok = f.block(lines[first+1:min(i, len(lines))], first+2, m[2], &title) || ok
			fenced, i = true, i+1
		case m != nil:
			language, listing, i = cmp.Or(m[1], language), true, i+1
			f.replaces = f.replaces || replacing().MatchString(line)
		case attributeEntry().MatchString(line):
			i = f.attribute(lines, i)
		case delimiter().MatchString(line) && (listing || line == literalBlock || i > 0 && isEmpty(lines[i-1])):
			for i++; i < len(lines) && lines[i] != line; i++ {
			}
			if i == len(lines) {
				return false
			}
			source := callout().ReplaceAllString(strings.Join(lines[first+1:i], "\n"), "")
			ok = f.block(strings.Split(source, "\n"), first+2, language, &title) || ok
			language, listing, f.replaces, i = "", false, false, i+1
		case directive().MatchString(line):
			i = blockEnd(lines, i+1, indentation(line))
			ok = f.block(lines[first+1:i], first+2, directive().FindStringSubmatch(line)[1], &title) || ok
		case introduced && isEmpty(line) && i+1 < len(lines) && indentation(lines[i+1]) > 0 &&
			!directive().MatchString(lines[i+1]) && !fence().MatchString(lines[i+1]):
			if i = blockEnd(lines, i, 0); i > first+1 {
				indented = f.block(lines[first:i], first+1, "", &title) || indented
				ok = ok || indented
			} else {
				i++
			}
		case isEmpty(line):
			i++
		case heading().MatchString(line):
			h := heading().FindStringSubmatch(line)
			title, introduced, i = cmp.Or(h[1], h[2]), true, i+1
		case i > 0 && underline().MatchString(line):
			title, introduced, i = strings.TrimSpace(lines[i-1]), true, i+1
		case listing:
			for i < len(lines) && !isEmpty(lines[i]) {
				i++
			}
			ok = f.block(lines[first:i], first+1, language, &title) || ok
			language, listing, f.replaces = "", false, false
		case plainCommand().MatchString(line), onlyShell().MatchString(line):
			return false
		default:
			introduced, i = f.sentence(line, i+1), i+1
		}
	}
	return ok && (indented || !fenced) // package paste reads fences alone
}

// attributesOf returns the match of attributes.
func attributesOf(line string) []string {
	if !strings.HasPrefix(line, "[") { // most lines
		return nil
	}
	return attributes().FindStringSubmatch(line)
}

// sentence reports whether an indented block may follow a line outside of blocks. Inline code in it that calls curl is not read.
func (f *file) sentence(line string, number int) bool {
	if paste.InlineCall(line) {
		f.inline = append(f.inline, number)
	}
	return introduction().MatchString(strings.TrimRight(line, " \t"))
}

// blockEnd returns the index of the first line from i that is not empty and not indented more than outer.
func blockEnd(lines []string, i, outer int) int {
	end := i
	for ; i < len(lines) && (isEmpty(lines[i]) || indentation(lines[i]) > outer); i++ {
		if !isEmpty(lines[i]) {
			end = i + 1
		}
	}
	return end
}

// block adds a block of a document if it may hold commands.
func (f *file) block(lines []string, line int, language string, title *string) bool {
	for len(lines) > 0 && (isEmpty(lines[0]) || strings.HasPrefix(strings.TrimSpace(lines[0]), ":")) { // an option of the directive
		lines, line = lines[1:], line+1
	}
	text := strings.Join(lines, "\n")
	if f.open { // the error is then about the quote's line
		return false
	}
	if !exampleLanguages[strings.ToLower(language)] || !example().MatchString(text) {
		if paste.Sends(text) {
			f.inline = append(f.inline, line)
		}
		return false
	}
	indent := indentation(lines[0])
	var all []string
	for _, l := range lines {
		all = append(all, l[min(indent, indentation(l)):])
	}
	if len(f.script) > 0 {
		f.script, f.lines = append(f.script, '\n'), append(f.lines, line)
	}
	f.named, *title = *title, ""
	text = strings.Join(all, "\n")
	if f.replaces {
		text = f.replaceAttributes(text)
	}
	f.add(text, line, 1)
	return mentionsCurl().MatchString(text)
}

// Patterns for an attribute of an AsciiDoc document, a reference to one, and the attribute of a block whose references are
// replaced (Asciidoctor, attribute entries and substitutions).
var (
	attributeEntry     = expression.Lazy(`^:(!?)(\w[\w-]*)(!?):(?:[ \t]+(.*))?$`)
	attributeReference = expression.Lazy(`\\?\{\w[\w-]*\\?\}`)
	replacing          = expression.Lazy(`\bsubs=["']?(?:[\w+-]+, *)*\+?(?:attributes|normal|[an])\b`)
)

// attribute reads the attribute on line i and returns the index of the line below it.
func (f *file) attribute(lines []string, i int) int {
	m := attributeEntry().FindStringSubmatch(lines[i])
	name, value := strings.ToLower(m[2]), strings.TrimSpace(m[4])
	for i++; strings.HasSuffix(value, ` \`) && i < len(lines) && len(value) <= maxValue; i++ {
		value = strings.TrimSuffix(value, `\`) + strings.TrimSpace(lines[i])
	}
	if value = f.replaceAttributes(value); m[1]+m[3] != "" || len(value) > maxValue {
		delete(f.attributes, name)
		return i
	}
	f.attributes[name] = value
	return i
}

// replaceAttributes replaces the references to attributes that are set.
func (f *file) replaceAttributes(text string) string {
	return attributeReference().ReplaceAllStringFunc(text, func(reference string) string {
		if strings.Contains(reference, `\`) {
			return strings.ReplaceAll(reference, `\`, "")
		}
		value, known := f.attributes[strings.ToLower(reference[1:len(reference)-1])]
		if f.budget.Bytes(len(value)); known {
			return value
		}
		return reference
	})
}

// indentation returns the number of blanks that line begins with.
func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
