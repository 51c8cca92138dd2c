package warning

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

func read(t *testing.T, text string) *tree.Document {
	t.Helper()
	return check.Value(tree.ReadJSON(text, nil))(t)
}

// TestPlaces resolves places in the source, before and after it is changed.
func TestPlaces(t *testing.T) {
	doc := read(t, `{"swagger":"2.0","paths":{"/a/{b}":{"get":{"parameters":[{"in":"query"},{"in":"body","schema":{"not":{}}}]}}},
		"definitions":{"A~B":{"properties":{"c":{"x":{}}}}}}`)
	root := doc.Root
	var l List
	l.Source(doc)
	get, definitions := root.Get("paths").Get("/a/{b}").Get("get"), root.Get("definitions")
	l.Add(LostLinks, get)
	parameters := get.Get("parameters")
	body := parameters.Element(1)
	parameters.Become(tree.NewArray(parameters.Element(0)))
	l.Add(LostLinks, body)
	l.Add(LostLinks, parameters)
	get.Set("requestBody", tree.NewObject().Set("content", body.Get("schema")))
	l.Add(LostLinks, get.Get("requestBody").Get("content").Get("not"))
	l.Add(LostLinks, get.Near("requestBody"))
	root.Delete("definitions")
	root.Set("components", tree.NewObject().Set("schemas", definitions))
	c := root.Get("components").Get("schemas").Get("A~B").Get("properties").Get("c")
	l.Add(LostLinks, c)
	l.Add(LostLinks, c.Near("x").Near("never"))
	l.Add(LostLinks, root.Near("never"))
	want := "lost.links: /paths/~1a~1{b}/get, /paths/~1a~1{b}/get/parameters/1, /paths/~1a~1{b}/get/parameters, " +
		"/paths/~1a~1{b}/get/parameters/1/schema/not, /definitions/A~0B/properties/c, /definitions/A~0B/properties/c/x, " +
		"the whole document. " + LostLinks.sentence
	if got := l.Strings(); len(got) != 1 || got[0] != want {
		t.Errorf("want %q\n got %q", want, got)
	}
}

// TestAliases checks that values from an alias are located where the alias is.
func TestAliases(t *testing.T) {
	doc := check.Value(tree.ReadYAML("a: &a {b: {c: {d: {}}}}\nx: *a\ny:\n  <<: *a\n", nil))(t)
	var l List
	l.Source(doc)
	for _, v := range doc.Root.Members() {
		l.Add(LostLinks, v.Get("b").Get("c").Get("d"))
	}
	if got := l.Strings(); !strings.HasPrefix(got[0], "lost.links: /a/b/c/d, /x/b/c/d, /y/b/c/d. ") {
		t.Errorf("got %q", got)
	}
}

// An Azure resource path is shown in full.
func TestLongPathsAreShown(t *testing.T) {
	const path = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Example.Storage/accounts/{accountName}/queues/{queueName}"
	doc := read(t, `{"paths":{"`+path+`":{"get":{}}}}`)
	var l List
	l.Source(doc)
	l.Add(LostLinks, doc.Root.Get("paths").Get(path).Get("get"))
	if got := l.Strings(); !strings.Contains(got[0], strings.ReplaceAll(path, "/", "~1")+"/get. ") {
		t.Errorf("got %q", got)
	}
}

// TestNamesAreBounded checks that names are shown without secrets or control characters and with limited length.
func TestNamesAreBounded(t *testing.T) {
	long := strings.Repeat("x", maxStep+1)
	doc := read(t, `{"a":{"hunter2":{"b":{}},"`+long+`":{"b":{}},"c\nd":{}}}`)
	l := List{Clean: func(text string) string { return strings.ReplaceAll(text, "hunter2", "<redacted>") }}
	l.Source(doc)
	for _, v := range doc.Root.Get("a").Members() {
		l.AddNamed(LostLinks, v.Near("b"), "an hunter2", long, "two\nlines")
	}
	want := "lost.links: an <redacted>, " + long[:maxName] + "…, … of /a/…, /a/…, /a/…. " + LostLinks.sentence
	if got := l.Strings(); len(got) != 1 || got[0] != want {
		t.Errorf("want %q\n got %q", want, got)
	}
	deep := doc.Root
	for range 50 {
		inner := tree.NewObject()
		deep.Set("twelve bytes", inner)
		deep = inner
	}
	l = List{}
	l.Written(doc)
	l.Add(LostLinks, deep)
	if got := l.Strings()[0]; len(got) > maxPointer+200 || !strings.Contains(got, "/twelve bytes/… in the output. ") {
		t.Errorf("got %q", got)
	}
}

// TestWrittenPlaces reports the same feature in the source and in the output, whose values have IDs of their own.
func TestWrittenPlaces(t *testing.T) {
	source, written := read(t, `{"a":{}}`), &tree.Document{Root: tree.NewObject().Set("b", tree.NewObject())}
	var l List
	l.Source(source)
	l.Add(LostLinks, source.Root.Get("a"))
	l.Written(written)
	l.Add(LostLinks, written.Root.Get("b"))
	if got := l.Strings(); !strings.HasPrefix(got[0], "lost.links: /a, /b in the output. ") {
		t.Errorf("got %q", got)
	}
}

func TestCommands(t *testing.T) {
	var l List
	for n := 1; n <= 16_000; n++ {
		l.Add(ChangedProtocol, Command(n, 2*n))
		l.AddNamed(LostCURLOption, Command(n, 2*n).Nth("operation", 2).Nth("URL", n%7+1), "--retry 3", "--resolve")
	}
	l.Add(LostPipes, Command(3, 7))
	l.Add(LostPipes, Command(5, 9))
	var options []string
	for n := 1; n <= maxThings; n++ {
		options = append(options, fmt.Sprintf("command %d, line %d, operation 2, URL %d", n, 2*n, n%7+1))
	}
	want := []string{
		"lost.curl_option: --retry 3, --resolve (" + strings.Join(options, "; ") + ") and 15990 more. " + LostCURLOption.sentence,
		"lost.pipes: command 3, line 7; command 5, line 9. " + LostPipes.sentence,
		"changed.protocol: commands 1 to 16000, lines 2 to 32000. " + ChangedProtocol.sentence,
	}
	if diff := cmp.Diff(want, l.Strings()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestList(t *testing.T) {
	doc := read(t, `{"item":[{}],"a":{},"b":{}}`)
	item, inA, inB := doc.Root.Get("item").Element(0), doc.Root.Get("a"), doc.Root.Get("b")
	var l List
	l.Source(doc)
	l.Add(LostScripts, item)
	l.Add(LostScripts, item)
	l.AddNamed(LostKeyword, inA, "if")
	l.SecretsReplaced(Secrets{Replaced: []string{"token", "X-Api-Key"}, Dropped: 1, Users: 1})
	want := []string{
		"secrets_replaced: 2 secrets (X-Api-Key, token) were replaced by placeholders, 1 secret and 1 user name were dropped. Detection is not complete: review the output before sharing it.",
		"lost.scripts: /item/0. " + LostScripts.sentence,
		"lost.keyword: if of /a. " + LostKeyword.sentence,
	}
	if diff := cmp.Diff(want, l.Strings()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i := range 1000 {
		l.AddNamed(LostScripts, nil, strconv.Itoa(i))
	}
	l.Add(LostWebhooks, nil)
	l.Add(AddedInfo, nil)
	l.AddNamed(LostLinks, inA, "x")
	l.AddNamed(LostLinks, inA, "y")
	l.AddNamed(LostLinks, inB, "x")
	want = []string{
		want[0],
		"lost.scripts: /item/0; 0, 1, 2, 3, 4, 5, 6, 7, 8 and 991 more. " + LostScripts.sentence,
		want[2],
		"lost.webhooks: " + LostWebhooks.sentence,
		"lost.links: x of /a, /b; y of /a. " + LostLinks.sentence,
		"added.info: " + AddedInfo.sentence,
	}
	if diff := cmp.Diff(want, l.Strings()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var none *List
	none.Add(LostScripts, nil)
	none.UnknownOption("-x", nil)
	none.SecretsReplaced(Secrets{Replaced: []string{"token"}})
	if none.Strings() != nil {
		t.Error("a nil list has warnings")
	}
}

func TestSecrets(t *testing.T) {
	for want, s := range map[string]Secrets{
		"": {},
		"1 secret (token) was replaced by a placeholder. ": {Replaced: []string{"token"}},
		"1 secret was dropped. ":                           {Dropped: 1},
		"1 user name was dropped. ":                        {Users: 1},
		"2 secrets (token) were replaced by placeholders, 2 secrets and 2 user names were dropped. ": {Replaced: []string{"token", "token"}, Dropped: 2, Users: 2},
	} {
		if got := s.text("", nil); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

func TestUnknownOption(t *testing.T) {
	for name, want := range map[string]string{
		"--frobnicate":                 "--frobnicate",
		"--frobnicate=secret":          "--frobnicate",
		"-Wsecret":                     "-W",
		"--Secret":                     "",
		"--a b":                        "",
		"--":                           "",
		"-":                            "",
		"-1":                           "",
		"secret":                       "",
		"--" + strings.Repeat("a", 41): "",
	} {
		var l List
		l.UnknownOption(name, nil)
		head, _, _ := strings.Cut(l.Strings()[0], "Unknown options")
		if got := strings.Trim(strings.TrimPrefix(head, "unknown_option:"), " ."); got != want {
			t.Errorf("%s: want %q, got %q", name, want, got)
		}
	}
}

// TestPartsOfCommands checks that a warning about a command does not name its parts.
func TestPartsOfCommands(t *testing.T) {
	var l List
	for n := 2; n <= 6; n++ {
		l.AddNamed(LostCURLOption, Command(1, 1).Nth("URL", n), "--output")
		l.AddNamed(LostProtocol, Command(2, 3).Nth("URL", n), "ftp")
	}
	for n := 2; n <= 3; n++ {
		l.AddNamed(LostCookieFile, Command(3, 4).Nth("operation", n), "--cookie")
	}
	l.AddNamed(LostCURLOption, Command(1, 1), "--output")
	l.AddNamed(LostCURLOption, Command(1, 1), "--output", "--retry 3")
	want := []string{
		"lost.curl_option: --output, --retry 3 (command 1, line 1). " + LostCURLOption.sentence,
		"lost.protocol: ftp (command 2, line 3, URLs 2 to 6). " + LostProtocol.sentence,
		"lost.cookie_file: --cookie (command 3, line 4, operations 2 to 3). " + LostCookieFile.sentence,
	}
	if diff := cmp.Diff(want, l.Strings()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAddPlaces lists several places in one warning, each once.
func TestAddPlaces(t *testing.T) {
	l := &List{}
	l.AddPlaces(ChangedMergedRequests, []Place{Command(1, 1), Command(3, 4), Command(3, 4)}, "a", "b")
	l.AddNamed(ChangedMergedRequests, Command(1, 1), "a", "b")
	want := "changed.merged_requests: a, b (command 1, line 1; command 3, line 4). "
	if got := l.Strings(); len(got) != 1 || !strings.HasPrefix(got[0], want) {
		t.Errorf("%q", got)
	}
}

// TestEachNameIsShown checks that a name with many places leaves room for the other names, and that all places are counted.
func TestEachNameIsShown(t *testing.T) {
	doc := read(t, `{"a":[`+strings.Repeat("{},", maxThings+1)+`{}],"b":{},"c":{}}`)
	var l List
	l.Source(doc)
	for _, v := range doc.Root.Get("a").Elements() {
		l.AddNamed(LostExtensions, v, "x-a")
	}
	l.AddNamed(LostExtensions, doc.Root.Get("b"), "x-b")
	l.AddNamed(LostExtensions, doc.Root.Get("c"), "x-c")
	want := "lost.extensions: x-a of /a/0, /a/1, /a/2, /a/3, /a/4, /a/5, /a/6, /a/7; x-b of /b; x-c of /c and 4 more. "
	if got := l.Strings()[0]; !strings.HasPrefix(got, want) {
		t.Errorf("want %q\n got %q", want, got)
	}
}

// TestDifferentPlaces checks that names are listed together only if all of their places are the same.
func TestDifferentPlaces(t *testing.T) {
	doc := read(t, `[{},{},{},{},{},{},{},{},{},{}]`)
	var l List
	l.Source(doc)
	for i, v := range doc.Root.Elements() {
		l.AddNamed(LostExtensions, v, "x-a")
		if i < maxThings-1 {
			l.AddNamed(LostExtensions, v, "x-b")
		}
	}
	want := "lost.extensions: x-a of /0, /1, /2, /3, /4, /5, /6, /7, /8; x-b of /0 and 9 more. "
	if got := l.Strings()[0]; !strings.HasPrefix(got, want) {
		t.Errorf("want %q\n got %q", want, got)
	}
}
