package writer

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// placement is where the body of an operation stands.
type placement struct {
	resource string // what the path is of, as a name: Order
	method   string
	status   string // of a response, "" for a request
}

func (p placement) request() bool { return p.status == "" }

// failed reports whether the body is that of an answer that something went
// wrong.
func (p placement) failed() bool { return p.status != "" && (p.status[0] == '4' || p.status[0] == '5') }

// set makes a set of the words of a text.
func set(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}

const ordering = `search find filter lookup cancel activate deactivate enable disable approve reject confirm complete close
	reopen archive unarchive restore publish unpublish send resend verify validate start stop pause resume retry run execute
	import export upload download sync merge move copy clone duplicate lock unlock`

var (
	// notResources are segments of a path that say what is done to the resource
	// before them, or which of several is meant.
	notResources = set(ordering + ` list all query create update delete remove get fetch add edit save new batch bulk count
		me self current latest recent mine index details detail api rest public`)
	// orders are those of them that say it as a verb.
	orders = set(ordering)
	// verbs begin the names of procedures: getUsers, createOrder.
	verbs = set(`get list create update delete remove add post put fetch set find search save edit patch upsert`)
	// endings follow the name of a resource behind a dot.
	endings = set(`json xml php html htm aspx ashx do action`)
	// lists and envelopes are members that hold the resource itself.
	lists = set(`data items results records list rows entries values content hits objects resources collection docs
		documents elements nodes result payload response`)
	envelopes = set(`data result payload response item object content body record resource`)
	// around are members that say something about an answer rather than about
	// what is in it.
	around = set(`ok success succeeded status statuscode statustext message msg error errors errorcode code object type kind url self
		requestid traceid timestamp time took sort order query filter version apiversion etag warnings`)
	// acknowledging are members of an answer that only says that a request was
	// carried out.
	acknowledging = set(`ok success status message msg code deleted updated acknowledged accepted statuscode timestamp`)
)

// plain is the name of a member without its punctuation, in small letters.
func plain(name string) string {
	return strings.Join(words.Split(name), "")
}

// isPaging reports whether a member of an answer is about the list in it.
func isPaging(name string) bool {
	name = plain(name)
	for _, start := range []string{"total", "next", "prev", "page", "paging", "pagin", "has", "perpage"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	switch name {
	case "count", "size", "limit", "offset", "cursor", "links", "meta", "first", "last", "number", "after", "before", "skip", "truncated":
		return true
	}
	return false
}

// resourceOf names what a path is of: its last segment that is neither a
// parameter nor an action, singular.
func resourceOf(template string) string {
	template, _, _ = strings.Cut(template, "#")
	name, action := "", ""
	for segment := range strings.SplitSeq(template, "/") {
		if strings.ContainsAny(segment, "{}") {
			continue
		}
		if decoded, err := url.PathUnescape(segment); err == nil {
			segment = decoded
		}
		list := words.Split(segment)
		if n := len(list); n > 1 && endings[list[n-1]] && strings.Contains(segment, ".") {
			list = list[:n-1]
		}
		if at := strings.LastIndexByte(segment, '.'); at > 0 && len(list) > 2 {
			list = words.Split(segment[at:])
		}
		for len(list) > 1 && verbs[list[0]] {
			list = list[1:]
		}
		switch {
		case len(list) == 0 || isVersion(list[0]):
		case len(list) == 1 && notResources[list[0]]:
			action = singularName(list)
		default:
			name = cmp.Or(singularName(list), name)
		}
	}
	return cmp.Or(name, action)
}

// isVersion reports whether a word is a version: v2.
func isVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && strings.Trim(word[1:], "0123456789") == ""
}

// singularName is the name of one of what words say, "" when it could not begin
// the name of a type.
func singularName(list []string) string {
	if len(list) == 0 {
		return ""
	}
	name := words.Pascal(singular(list))
	if len(name) > maxIdentifier || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}

// singular is one of what words say.
func singular(list []string) []string {
	return append(list[:len(list)-1:len(list)-1], words.Singular(list[len(list)-1]))
}
