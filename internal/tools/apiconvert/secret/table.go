package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// tables finds the secrets in the columns of tables whose header names one: a table of Markdown, whose header is above a
// line of dashes, or data whose first line consists of names.
func (f *finder) tables() {
	if !strings.Contains(f.text, "\n") || f.strict == asProse && !strings.Contains(f.text, "|") {
		return
	}
	separator := "|"
	if f.strict == asData {
		m := csvHeader().FindStringSubmatch(f.text)
		if m == nil {
			return
		}
		separator = m[1]
	}
	f.scanned += len(f.text)
	var header []column
	at, before := 0, ""
	for line := range strings.Lines(f.text) {
		switch {
		case separator == "|" && strings.Trim(line, " \t\r\n#|:-") == "" && strings.Contains(line, "-"):
			header = columns(before, separator)
		case !strings.Contains(line, separator):
			header = nil
		case header != nil:
			f.row(line, at, header, separator)
		case separator != "|" && at == 0:
			header = columns(line, separator)
		}
		at, before = at+len(line), line
	}
}

// encodedPair matches a name and a value in a query or in JSON within a URL, percent-encoded as a value of its query.
var encodedPair = expression.Lazy(`(?i)(?:%[0-9A-F]{2}|[&?=/])([\w.-]{1,64}?)(?:%5D)?(?:%3D|%22%3A(?:%20|\+)?%22)((?:[^\s&"'<>%\\)|#]|%(?:[013-9A-F][0-9A-F]|2[^26]))+)`)

// encoded finds the secrets in URLs that are encoded within another: ?next=https%3A%2F%2Fh.test%2F%3Ftoken%3Dx.
func (f *finder) encoded() {
	if strings.IndexByte(f.text, '%') < 0 || !strings.Contains(f.text, "%3") && !strings.Contains(f.text, "%22") {
		return
	}
	f.scanned += len(f.text)
	for _, m := range encodedPair().FindAllStringSubmatchIndex(f.text, -1) {
		name, value := f.text[m[2]:m[3]], f.text[m[4]:m[5]]
		if s := f.r.sensitivity(name, site.Query); s.accepts(percent.DecodeQuery(value)) {
			f.ahead = append(f.ahead, match{m[4], m[5], name, s.isCertain(value)})
		}
	}
}

// csvHeader matches a first line of names. The group is the separator.
var csvHeader = expression.Lazy("^[ \"']*[A-Za-z][\\w .\"'-]{0,40}([,;\t])[\\w ,;\t.\"'-]{1,400}\r?\n")

// column is a column of a table, by its header.
type column struct {
	name string
	sensitivity
}

func columns(line, separator string) (all []column) {
	for cell := range strings.SplitSeq(strings.TrimSpace(line), separator) {
		name := strings.Trim(cell, " `*\"'")
		all = append(all, column{name, sensitivityOf(name)})
	}
	return all
}

// row finds the secrets in a row of a table, which begins at an offset.
func (f *finder) row(line string, at int, header []column, separator string) {
	for _, c := range header {
		cell, rest, more := strings.Cut(line, separator)
		value := strings.Trim(cell, " \t\r\n`*\"'")
		credible := f.strict == asData || len(value) >= minSwept && words.IsMixed(value) && !strings.Contains(value, " ") &&
			!technical().MatchString(value)
		if c.isSecret() && credible && c.accepts(value) {
			from := at + strings.Index(cell, value)
			f.ahead = append(f.ahead, match{from, from + len(value), c.name, true})
		}
		if line, at = rest, at+len(cell)+len(separator); !more {
			return
		}
	}
}
