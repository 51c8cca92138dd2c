package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// xml yields the text of elements and the values of attributes in XML or HTML. In <add key="password" value="…"/> the
// key names the value.
func xml(text, _ string, yield func(Span)) {
	var before string // the element before this one
	var pair site.Pair
	for at := after(text, 0, "<"); at+1 < len(text); {
		rest := text[at+1:]
		if !words.IsLetter(rest[0]) && rest[0] != '_' {
			at = after(text, at+1, "<")
			continue
		}
		name := rest[:run(rest, inXMLName)]
		end, attribute := xmlAttributes(text, name, at+1+len(name), yield)
		from, closing, codec := end, "<", &XMLText
		if strings.HasPrefix(text[end:], "<![CDATA[") {
			from, closing, codec = end+len("<![CDATA["), "]]>", nil
		}
		at = after(text, from, closing)
		value := text[from:at]
		from += len(value) - len(strings.TrimLeft(value, " \t\r\n"))
		if to := from + len(strings.Trim(value, " \t\r\n")); from < to {
			s := Span{From: from, To: to, Role: site.Field, Name: pair.MemberOf(name, name), Written: codec}
			if attribute != "" { // <param name="password">
				s.Name += "\n" + attribute
			}
			if before == "key" && name == "string" { // a property list
				s.Name = pair.MemberOf("value", name)
			}
			yield(s)
			before, pair = name, site.Pair{}
			pair.Add(name, text[from:to])
		}
		at = after(text, at, "<")
	}
}

// inXMLName are the characters that a name may contain in addition to letters and digits.
const inXMLName = "_-.:"

// after returns the index of sought in text at or after i, or the end of text.
func after(text string, i int, sought string) int {
	if n := strings.Index(text[i:], sought); n >= 0 {
		return i + n
	}
	return len(text)
}

// minKey is the length in bytes from which an attribute called key may hold one, and not name something.
const minKey = 12

// xmlAttributes yields the attributes of the tag of an element whose name ends at i and returns the end of the tag, and what
// an attribute like name or key calls the element. A random key is one of the element: <auth key="…">.
func xmlAttributes(text, element string, i int, yield func(Span)) (end int, named string) {
	var pair site.Pair
	var attributes []Span
	for i < len(text) && text[i] != '>' && text[i] != '<' {
		n := run(text[i:], inXMLName)
		if n == 0 {
			i++
			continue
		}
		name := text[i : i+n]
		i += n
		if i+1 >= len(text) || text[i] != '=' || text[i+1] != '"' && text[i+1] != '\'' {
			continue
		}
		from := i + 2
		to := after(text, from, text[i+1:i+2])
		pair.Add(name, text[from:to])
		attributes = append(attributes, Span{From: from, To: to, Role: site.Field, Name: name, Written: &XMLText})
		i = min(to+1, len(text))
	}
	for _, a := range attributes {
		own := a.Name
		if a.Name = pair.MemberOf(own, own); own == "key" && a.To-a.From >= minKey && words.IsMixed(text[a.From:a.To]) {
			a.Name += "\n" + element + " key"
		}
		yield(a)
	}
	if i < len(text) && text[i] == '>' {
		i++
	}
	return i, pair.MemberOf("value", "")
}
