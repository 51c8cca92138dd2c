package warning

import (
	"fmt"
	"strings"
)

// Secrets counts what was recognised as one.
type Secrets struct {
	Replaced int // different secrets with a placeholder in the output
	Dropped  int // different secrets that the output has no place for
	Users    int // user names that went with those
}

// SecretsReplaced notes what became of secrets.
func (l *List) SecretsReplaced(s Secrets) {
	if l != nil {
		l.secrets = s
	}
}

func (s Secrets) text() string {
	var said []string
	if s.Replaced > 0 {
		said = append(said, plural(s.Replaced, "secret")+were(s.Replaced)+"replaced by placeholders")
	}
	if s.Dropped > 0 || s.Users > 0 {
		var left []string
		if s.Dropped > 0 {
			left = append(left, plural(s.Dropped, "secret"))
		}
		if s.Users > 0 {
			left = append(left, plural(s.Users, "user name"))
		}
		said = append(said, strings.Join(left, " and ")+were(s.Dropped+s.Users)+"left out")
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, ", ") + "; recognising secrets is incomplete, so review the output before sharing it."
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func were(n int) string {
	if n == 1 {
		return " was "
	}
	return " were "
}

// optionName cuts an option to its name: a dash and a letter, or two dashes
// and up to 40 lower-case letters, digits and hyphens. Anything else may be a
// value and gives "".
func optionName(text string) string {
	if len(text) < 2 || text[0] != '-' {
		return ""
	}
	if text[1] != '-' {
		if c := text[1] | 0x20; c < 'a' || c > 'z' {
			return ""
		}
		return text[:2]
	}
	end := 2
	for end < len(text) && text[end] != '=' {
		if c := text[end]; c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return ""
		}
		end++
	}
	if end < 3 || end > 42 {
		return ""
	}
	return text[:end]
}
