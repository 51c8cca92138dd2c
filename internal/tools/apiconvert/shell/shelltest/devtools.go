// Package shelltest writes requests as browser developer tools copy them, with today's quoting. It follows
// Chromium's NetworkLogView (escapeStringWin, escapeStringPosix, generatePowerShellCommand) and Firefox's CurlUtils
// (escapeStringWin); the code is original.
package shelltest

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// Request is a request to copy.
type Request struct {
	URL, Method string
	Headers     [][2]string
	Cookies     [][2]string
	Agent, Type string // User-Agent, and Content-Type if there is a body
	Body        string
}

// Form is a format in which developer tools copy a request.
type Form struct {
	Name  string
	Quote func(string) string
	Join  string // separator between the parts of a command
}

// Forms are the formats of Copy as cURL (cmd); the last is Copy as cURL (bash).
var Forms = []Form{
	{"cmd of Chromium", quoteCarets("'"), " ^\n  "},
	{"cmd of Firefox", quoteCarets(""), " ^\n  "},
	{"cmd with CR LF", quoteCarets("'"), " ^\r\n  "},
	{"bash", QuotePOSIX, " \\\n  "},
}

// quoteCarets escapes for the C runtime first, and then escapes all but a few characters with ^ for cmd.exe. more are
// further characters to leave unescaped.
func quoteCarets(more string) func(string) string {
	const word = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
	const safe = word + " \t\r\n-:=+~/.,?;()*`"
	return func(text string) string {
		var out strings.Builder
		escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)
		for i, c := range escaped {
			switch {
			case c == '\n':
				out.WriteString("^\n\n")
			case strings.ContainsRune(safe+more, c):
				out.WriteRune(c)
			case c == '%' && i+1 < len(escaped) && strings.IndexByte(word, escaped[i+1]) >= 0:
				out.WriteString("^%^")
			default:
				out.WriteByte('^')
				out.WriteRune(c)
			}
		}
		return `^"` + out.String() + `^"`
	}
}

// QuotePOSIX quotes text as Copy as cURL (bash) does, without $'…'.
func QuotePOSIX(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// Curl returns the request as the form copies it.
func (f Form) Curl(r Request) string {
	address := strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(f.Quote(r.URL))
	parts := []string{"curl " + address}
	if implied := map[bool]string{true: "GET", false: "POST"}[r.Body == ""]; r.Method != implied {
		parts = append(parts, "-X "+f.Quote(r.Method))
	}
	add := func(option, name, value string) {
		if value != "" {
			parts = append(parts, option+" "+f.Quote(name+value))
		}
	}
	for _, h := range r.Headers {
		parts = append(parts, "-H "+f.Quote(h[0]+": "+h[1]))
	}
	add("-H", "content-type: ", r.Type)
	add("-b", "", r.cookies())
	add("-H", "user-agent: ", r.Agent)
	add("--data-raw", "", r.Body)
	text := strings.Join(append(parts, "--compressed"), f.Join)
	if strings.Contains(f.Join, "\r\n") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
	}
	return text
}

func (r Request) cookies() string {
	var all []string
	for _, c := range r.Cookies {
		all = append(all, c[0]+"="+c[1])
	}
	return strings.Join(all, "; ")
}

// QuotePowerShell quotes text as Copy as PowerShell does.
func QuotePowerShell(text string) string {
	var out strings.Builder
	for _, c := range text {
		switch {
		case strings.ContainsRune("`$\"", c):
			out.WriteString("`" + string(c))
		case c < ' ' || c > '~':
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&out, "$([char]%d)", unit)
			}
		default:
			out.WriteRune(c)
		}
	}
	return `"` + out.String() + `"`
}

// PowerShell returns the request as Copy as PowerShell writes it.
func PowerShell(r Request) string {
	q := QuotePowerShell
	text := ""
	if r.Agent != "" || len(r.Cookies) > 0 {
		text = "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n"
		if r.Agent != "" {
			text += "$session.UserAgent = " + q(r.Agent) + "\n"
		}
		for _, c := range r.Cookies {
			text += "$session.Cookies.Add((New-Object System.Net.Cookie(" + q(c[0]) + ", " + q(c[1]) +
				", \"/\", \"a.test\")))\n"
		}
	}
	parts := []string{"Invoke-WebRequest -UseBasicParsing -Uri " + q(r.URL)}
	if r.Method != "GET" {
		parts = append(parts, "-Method "+q(r.Method))
	}
	if text != "" {
		parts = append(parts, "-WebSession $session")
	}
	headers := [][2]string{{"authority", "a.test"}, {"method", r.Method}, {"path", "/"}, {"scheme", "https"}}
	var lines []string
	for _, h := range append(headers, r.Headers...) {
		lines = append(lines, q(h[0])+"="+q(h[1]))
	}
	parts = append(parts, "-Headers @{\n"+strings.Join(lines, "\n  ")+"\n}")
	if r.Type != "" {
		parts = append(parts, "-ContentType "+q(r.Type))
	}
	if r.Body != "" {
		body := q(r.Body)
		if strings.Contains(body, "[char]") {
			body = "([System.Text.Encoding]::UTF8.GetBytes(" + body + "))"
		}
		parts = append(parts, "-Body "+body)
	}
	return text + strings.Join(parts, " `\n")
}

// Text returns a string of at most length pieces that are hard to quote. intN returns random numbers below its
// argument.
func Text(intN func(int) int, length int) string {
	pieces := []string{
		"a", "Z", "9", "_", " ", `"`, `""`, `\`, `\\`, `\"`, "%", "%20", "%PATH%", "^", "^^", "&", "|", "<", ">", "(", ")",
		"{", "}", "[", "]", "'", "`", "$", "$x", "$(x)", "${x}", "@", "#", "!", "!x!", ",", ";", "=", ":", "/", "?", "*",
		"~", "+", "-", ".", "\n", "\n\n", "\t", "é", "漢", "😀", `{"a":1}`,
	}
	var out strings.Builder
	for range intN(length + 1) {
		out.WriteString(pieces[intN(len(pieces))])
	}
	return out.String()
}
