package curlcmd

import "strings"

// header takes -H. As libcurl does, "Name: value" sets a field, "Name:" keeps
// curl from sending its own, "Name;" sends it empty, and what has neither
// sign is left out. A line end in the argument begins another field. Fields of a
// file are not known: the option stays as it is.
func (op *operation) header(u use) {
	if name, ok := strings.CutPrefix(u.arg, "@"); ok {
		text, file := op.content(name)
		if file != "" {
			op.settings = append(op.settings, Setting{Option: u.name, Value: "@" + file})
			return
		}
		u.arg = text
	}
	for line := range strings.Lines(u.arg) {
		line = strings.TrimRight(line, "\r\n")
		name, text, colon := strings.Cut(line, ":")
		h := Header{Name: strings.TrimSpace(name), Value: strings.TrimSpace(text), Option: u.name}
		if !colon {
			var empty bool
			name, empty = strings.CutSuffix(line, ";")
			h.Name = strings.TrimSpace(name)
			if !empty {
				h.Name = ""
			}
		}
		h.Removed = colon && h.Value == ""
		if h.Name != "" {
			op.headers = append(op.headers, h)
		} else if line != "" {
			op.changed("header_ignored", u.name)
		}
	}
}

// hasHeader reports whether -H sets or removes a field.
func (op *operation) hasHeader(name string) bool {
	for _, h := range op.headers {
		if strings.EqualFold(h.Name, name) {
			return true
		}
	}
	return false
}

// cookie takes -b: cookies when there is a =, else the name of a file.
func (op *operation) cookie(u use) {
	if strings.Contains(u.arg, "=") || strings.HasPrefix(u.arg, "{{") {
		op.cookies = append(op.cookies, u.arg)
	} else if u.arg != "" && op.patterns { // for shell text again
		op.settings = append(op.settings, Setting{Option: u.name, Value: u.arg})
	} else if u.arg != "" {
		op.lost("cookie_file", u.name)
	}
}

// setHeaders returns the fields of -H without the removals of fields that
// another -H sets: they remove nothing.
func (op *operation) setHeaders() []Header {
	set := map[string]bool{}
	for _, h := range op.headers {
		if !h.Removed {
			set[strings.ToLower(h.Name)] = true
		}
	}
	var all []Header
	for _, h := range op.headers {
		if !h.Removed || !set[strings.ToLower(h.Name)] {
			all = append(all, h)
		}
	}
	return all
}

// allHeaders returns the fields of -H and of the options that stand for one;
// a field of -H goes before such an option.
func (op *operation) allHeaders() []Header {
	all := op.setHeaders()
	add := func(option, name, text string, given bool) {
		if given && !op.hasHeader(name) {
			all = append(all, Header{Name: name, Value: strings.TrimSpace(text), Removed: text == "", Option: option})
		}
	}
	agent, hasAgent := op.texts["user-agent"]
	add("user-agent", "User-Agent", agent, hasAgent)
	referer, automatic := strings.CutSuffix(op.texts["referer"], ";auto")
	if automatic {
		op.lost("automatic_referer", "referer")
	}
	add("referer", "Referer", referer, referer != "")
	add("cookie", "Cookie", strings.Join(op.cookies, ";"), len(op.cookies) > 0)
	if op.json {
		add("json", "Content-Type", "application/json", true)
		add("json", "Accept", "application/json", true)
	}
	bytes, hasRange := op.texts["range"]
	if hasRange && strings.Trim(bytes, "0123456789") == "" {
		bytes += "-"
	}
	add("range", "Range", "bytes="+bytes, hasRange)
	add("continue-at", "Range", "bytes="+op.resume, op.resume != "" && !hasRange)
	return all
}
