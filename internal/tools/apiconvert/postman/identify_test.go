package postman_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// ids lists names and ids of a collection and its items.
func ids(v *tree.Value) []string {
	list := []string{v.Get("info").Get("_postman_id").Text()}
	var walk func(*tree.Value)
	walk = func(group *tree.Value) {
		for _, item := range group.Get("item").Elements() {
			list = append(list, item.Get("name").Text()+" "+item.Get("id").Text())
			walk(item)
		}
	}
	walk(v)
	return list
}

func identified(t *testing.T, collection string) []string {
	t.Helper()
	doc := parse(t, collection)
	check.OK(t, postman.Rewrite(doc, nil, nil))
	postman.Identify(doc.Root, nil)
	checkSchema(t, documenttest.Write(t, doc.Root))
	once := documenttest.Write(t, doc.Root)
	postman.Identify(doc.Root, nil)
	if diff := cmp.Diff(once, documenttest.Write(t, doc.Root)); diff != "" {
		t.Errorf("identifying twice changes (-once +twice):\n%s", diff)
	}
	return ids(doc.Root)
}

func TestIdentify(t *testing.T) {
	const collection = `{"info":{"name":"Shop"},"variable":[{"key":"baseUrl","value":"https://api.test"}],"item":[
		{"name":"orders","item":[
			{"name":"list","request":{"method":"GET","url":"{{baseUrl}}/orders?a=1"}},
			{"name":"again","request":{"method":"GET","url":"{{baseUrl}}/orders?a=2"}},
			{"name":"one","request":{"method":"GET","url":"{{baseUrl}}/orders/:id"}}]},
		{"name":"orders","item":[]},
		{"name":"add","request":{"method":"POST","url":"{{baseUrl}}/orders"}}]}`
	all := identified(t, collection)
	seen := map[string]bool{}
	for _, line := range all {
		id := line[strings.LastIndexByte(line, ' ')+1:]
		if seen[id] || !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id) {
			t.Errorf("%s: duplicate, or not a version 5 UUID", line)
		}
		seen[id] = true
	}
	if len(all) != 7 {
		t.Errorf("%d ids", len(all))
	}
	for name, c := range map[string]struct {
		old, new string
		changed  int
	}{
		"a request without its URL":        {`"again"`, `"changed"`, 0},
		"a request after the others":       {`/orders"}}]}`, `/orders"}},{"name":"new","request":{"method":"GET","url":"{{baseUrl}}/new"}}]}`, 0},
		"a request before the others":      {`{"name":"list"`, `{"name":"new","request":{"method":"GET","url":"{{baseUrl}}/new"}},{"name":"list"`, 0},
		"a path":                           {"orders/:id", "items/:id", 1},
		"a method":                         {"POST", "PUT", 1},
		"another collection of the server": {"Shop", "Store", 7},
		"the order of requests": {
			`{"name":"again","request":{"method":"GET","url":"{{baseUrl}}/orders?a=2"}},
			{"name":"one","request":{"method":"GET","url":"{{baseUrl}}/orders/:id"}}`,
			`{"name":"one","request":{"method":"GET","url":"{{baseUrl}}/orders/:id"}},
			{"name":"again","request":{"method":"GET","url":"{{baseUrl}}/orders?a=2"}}`, 0,
		},
		"another collection without a server":    {`"https://api.test"`, `""`, 7},
		"an unrelated request to another server": {`{"name":"list"`, `{"name":"a","request":{"method":"GET","url":"https://a.test/"}},{"name":"list"`, 0},
		"another server":                         {"https://api.test", "https://other.test", 7},
	} {
		got := strings.Join(identified(t, strings.Replace(collection, c.old, c.new, 1)), "\n")
		changed := 0
		for _, line := range all {
			if id := line[strings.LastIndexByte(line, ' ')+1:]; !strings.Contains(got, id) {
				changed++
			}
		}
		if changed != c.changed {
			t.Errorf("%s: %d ids changed, want %d", name, changed, c.changed)
		}
	}
	kept := identified(t, `{"info":{"name":"A","_postman_id":"c"},"item":[{"id":"r","name":"x","request":"a.test"},{"_postman_id":"s","name":"y","request":"a.test"}]}`)
	if diff := cmp.Diff([]string{"c", "x r", "y s"}, kept); diff != "" {
		t.Errorf("ids of the source (-want +got):\n%s", diff)
	}
}
