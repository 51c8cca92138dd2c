package apiconvert

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// encoders write a value inside a text.
var encoders = map[string]func(value string) string{
	"json":       func(v string) string { q := quoted(v); return q[1 : len(q)-1] },
	"units":      units,
	"xml":        html.EscapeString,
	"form":       url.QueryEscape,
	"percent":    func(v string) string { return strings.ReplaceAll(url.QueryEscape(v), "+", "%20") },
	"octets":     func(v string) string { return each(v, func(c byte) string { return fmt.Sprintf("%%%02x", c) }) },
	"basic":      func(v string) string { return base64.StdEncoding.EncodeToString([]byte("bob:" + v)) },
	"base64":     func(v string) string { return base64.StdEncoding.EncodeToString([]byte(v)) },
	"single":     func(v string) string { return strings.ReplaceAll(v, "'", `'\''`) },
	"double":     strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace,
	"ansi":       strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace,
	"cmd":        func(v string) string { return v },
	"powershell": func(v string) string { return strings.ReplaceAll(v, "'", "''") },
	"bare": func(v string) string {
		return each(v, func(c byte) string {
			if c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
				return string([]byte{c})
			}
			return `\` + string(c)
		})
	},
}

func each(text string, encode func(c byte) string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(encode(text[i]))
	}
	return b.String()
}

func units(text string) string {
	var b strings.Builder
	for _, c := range text {
		if c < 0x10000 {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// decoders undo encodings throughout a text, as far as possible.
var decoders = []func(text string) string{
	replaceAll(`%[0-9A-Fa-f]{2}`, func(code string) string {
		c, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(c)})
	}),
	strings.NewReplacer("+", " ").Replace,
	replaceAll(`(?:\\u[0-9A-Fa-f]{4})+|\\x[0-9A-Fa-f]{2}|\\[0-7]{3}|\\.`, func(escape string) string {
		var plain string
		if json.Unmarshal([]byte(`"`+escape+`"`), &plain) == nil {
			return plain
		}
		base, digits := 8, strings.TrimPrefix(escape[1:], "x")
		if len(digits) == 2 {
			base = 16
		}
		if c, err := strconv.ParseUint(digits, base, 8); err == nil && len(digits) > 1 {
			return string([]byte{byte(c)})
		}
		return escape[1:]
	}),
	html.UnescapeString,
	strings.NewReplacer(`'\''`, "'", `'"'"'`, "'", `''`, "'").Replace,
	replaceAll(`\\.`, func(escape string) string { return escape[1:] }),
	replaceAll(`[A-Za-z0-9+/_-]{8,}`, func(run string) string {
		run = strings.NewReplacer("-", "+", "_", "/").Replace(run)
		var b strings.Builder
		for shift := range 4 { // what precedes the text may belong to the alphabet
			whole := (len(run) - shift) / 4 * 4
			plain, _ := base64.RawStdEncoding.DecodeString(run[shift:])
			part, _ := base64.RawStdEncoding.DecodeString(run[shift : shift+whole])
			b.WriteString(string(plain) + "\n" + string(part) + "\n")
		}
		return b.String()
	}),
}

// replaceAll returns a decoder that replaces what a regular expression matches.
func replaceAll(expression string, with func(match string) string) func(text string) string {
	matches := regexp.MustCompile(expression)
	return func(text string) string { return matches.ReplaceAllStringFunc(text, with) }
}

// decoded returns a text in every combination of up to three decodings.
func decoded(text string) map[string]bool {
	all, last := map[string]bool{text: true}, []string{text}
	for range 3 {
		var next []string
		for _, from := range last {
			for _, decode := range decoders {
				if to := decode(from); !all[to] {
					all[to] = true
					next = append(next, to)
				}
			}
		}
		last = next
	}
	return all
}
