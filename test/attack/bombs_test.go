package attack

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// document is a hostile input of at most 1 MiB.
type document struct {
	tool, name, mediaType string
	options               string
	value                 func() string
	want                  int // status; 0 allows a success or a rejection
}

const (
	refused  = 422
	accepted = 200
	// full is close to what fits into a request besides the envelope.
	full = 1<<20 - 512
)

// documents returns the hostile inputs of every tool. Nothing should connect to the address remote.
func documents(remote string) []document {
	all := jsonBombs("json_format")
	all = append(all, jsonBombs("json_to_yaml")...)
	all = append(all, tokenBombs()...)
	all = append(all, timestampBombs()...)
	for _, target := range []string{"openapi-3.1-json", "openapi-3.0-yaml", "postman-2.1", "curl"} {
		for _, d := range apiBombs(remote) {
			d.tool, d.name, d.options = "api_convert", target+"/"+d.name, `{"target":"`+target+`"}`
			all = append(all, d)
		}
	}
	return all
}

func repeat(text string, n int) func() string {
	return func() string { return strings.Repeat(text, n) }
}

func around(before, text string, n int, after string) func() string {
	return func() string { return before + strings.Repeat(text, n) + after }
}

// numbered repeats a format n times, each with its index.
func numbered(n int, before, format, after string) func() string {
	return func() string {
		var b strings.Builder
		b.WriteString(before)
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		b.WriteString(after)
		return b.String()
	}
}

func nested(open, inner, close string, n int) func() string {
	return func() string { return strings.Repeat(open, n) + inner + strings.Repeat(close, n) }
}

func jsonBombs(tool string) []document {
	all := []document{
		{name: "100k deep arrays", value: nested("[", `"`+marker+`"`, "]", 100_000), want: refused},
		{name: "100k deep objects, closed by nothing", value: repeat(`{"a":`, 100_000), want: refused},
		{name: "open brackets only", value: repeat("[", full), want: refused},
		{name: "100k wide array", value: around("[", "0,", 100_000, "0]"), want: accepted},
		{name: "100k wide objects", value: around("[", "{},", 100_000, "{}]"), want: accepted},
		{name: "60k distinct keys", value: numbered(60_000, "{", `"k%d":1,`, `"z":1}`), want: accepted},
		{name: "60k equal keys", value: around("{", `"`+marker+`":1,`, 30_000, `"z":1}`), want: refused},
		{name: "keys that collide in Java's and PHP's hashes", value: collisions, want: accepted},
		{name: "1 MiB of digits", value: repeat("9", full), want: refused},
		{name: "1 MiB of fraction digits", value: around("0.", "3", full-10, ""), want: refused},
		{name: "an exponent of 1e9", value: func() string { return "1e1000000000" }, want: refused},
		{name: "an exponent of -1e9", value: func() string { return "1e-1000000000" }, want: refused},
		{name: "900k digits of exponent", value: around("1e", "9", 900_000, ""), want: refused},
		{name: "many large exponents", value: around("[", "1e308,", 150_000, "1]")},
		{name: "many subnormal numbers", value: around("[", "2.2250738585072011e-308,", 40_000, "1]")},
		{name: "one long key", value: around(`{"`, "k", full-20, `":1}`)},
		{name: "one string of escapes", value: around(`"`, `\u0000`, 130_000, `"`)},
		{name: "lone surrogates", value: around(`["`+marker+`","`, `\ud800`, 130_000, `"]`), want: refused},
		{name: "control characters as escapes", value: around(`["`, `\u0001","`, 80_000, `"]`)},
		{name: "a string without end", value: around(`"`, marker, 60_000, ""), want: refused},
		{name: "comments", value: around("[1", "/*"+marker+"*/", 40_000, "]"), want: refused},
		{name: "white space", value: around("[", " ", full-10, "1]"), want: accepted},
		{name: "deep and wide, at the widest indent", options: `{"indent":8}`,
			value: around(strings.Repeat("[", 200), "1,", 300_000, "1"+strings.Repeat("]", 200)), want: refused},
		{name: "escapes of astral characters", value: around(`"`, `\ud83d\ude00`, 65_000, `"`)},
		{name: "bidi and line separators", value: around(`["`, "\u202e\u2028\u0085", 55_000, `"]`)},
	}
	for i := range all {
		all[i].tool, all[i].mediaType = tool, "application/json"
	}
	if tool == "json_to_yaml" {
		all = append(all,
			document{tool: tool, mediaType: "application/json", name: "text of line breaks, deep", options: `{"indent":8}`,
				value: func() string {
					return strings.Repeat("[", 200) + `"` + strings.Repeat(`x\n`, 200_000) + `"` + strings.Repeat("]", 200)
				}, want: refused},
			document{tool: tool, mediaType: "application/json", name: "words that YAML takes for others",
				value: around("[", `"on","<<","=","1:2","0x1","~",`, 20_000, `"no"]`)})
	}
	return all
}

// collisions returns 2^14 keys of equal length that all have the same 31-hash and
// 33-hash, as in languages with unseeded maps.
func collisions() string {
	var b strings.Builder
	b.WriteString("{")
	for i := range 1 << 14 {
		b.WriteString(`"`)
		for bit := range 14 {
			b.WriteString([]string{"Aa", "BB"}[i>>bit&1])
		}
		b.WriteString(`":1,`)
	}
	return b.String()[:b.Len()-1] + "}"
}

func token(header, payload string) string {
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(header)) + "." + encode([]byte(payload)) + "."
}

func tokenBombs() []document {
	const header = `{"alg":"none"}`
	all := []document{
		{name: "dots", value: repeat(".", full), want: refused},
		{name: "one part", value: repeat("A", full), want: refused},
		{name: "100k deep payload", value: func() string { return token(header, strings.Repeat(`{"a":`, 100_000)) }, want: refused},
		{name: "deep payload", value: func() string { return token(header, `{"a":`+strings.Repeat("[", 300_000)+"}") }, want: refused},
		{name: "wide payload", value: func() string { return token(header, numbered(40_000, "{", `"k%d":1,`, `"z":1}`)()) }, want: accepted},
		{name: "payload of digits", value: func() string { return token(header, `{"n":`+strings.Repeat("9", 700_000)+"}") }, want: accepted},
		{name: "payload of a huge exponent", value: func() string { return token(header, `{"n":1e1000000000}`) }, want: accepted},
		{name: "equal keys", value: func() string {
			return token(header, "{"+strings.Repeat(`"`+marker+`":1,`, 30_000)+`"z":1}`)
		}, want: refused},
		{name: "a header that is not JSON", value: func() string { return token(strings.Repeat(marker, 40_000), "{}") }, want: refused},
		{name: "white space around and inside", value: func() string { return strings.Repeat(" ", 500_000) + "a b" + strings.Repeat("\t", 100_000) }, want: refused},
	}
	for i := range all {
		all[i].tool, all[i].mediaType = "jwt_decode", "application/jwt"
	}
	return all
}

func timestampBombs() []document {
	all := []document{
		{name: "1 MiB of digits", options: `{"unit":"nanoseconds"}`, value: repeat("9", full), want: refused},
		{name: "1 MiB of zeros", options: `{"unit":"seconds"}`, value: repeat("0", full), want: refused},
		{name: "an exponent", options: `{"unit":"seconds"}`, value: func() string { return "1e1000000000" }, want: refused},
		{name: "a long fraction", value: around("2024-01-01T00:00:00.", "1", full-40, "Z")},
		{name: "a long zone", value: around("2024-01-01T00:00:00[", marker, 60_000, "]"), want: refused},
		{name: "white space", value: repeat(" ", full), want: refused},
		{name: "a long weekday", value: repeat(marker, 60_000), want: refused},
		{name: "signs", options: `{"unit":"seconds"}`, value: repeat("-", full), want: refused},
	}
	for i := range all {
		all[i].tool, all[i].mediaType = "timestamp_to_iso", "text/plain"
	}
	return all
}
