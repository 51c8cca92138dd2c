package postman

import (
	"cmp"
	"crypto/sha1" // for UUIDs of version 5 (RFC 9562)
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// uuid is a UUID of RFC 9562.
type uuid [16]byte

// urls is the name space of names that are URLs (RFC 9562, section 6.6).
var urls = uuid{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}

// collections is the name space of collections written by this program.
var collections = urls.named("https://github.com/convertd/convertd")

// named returns the UUID of version 5 of a name in a name space (RFC 9562, section 5.5).
func (space uuid) named(name string) uuid {
	sum := sha1.Sum(append(space[:], name...))
	id := uuid(sum[:16])
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return id
}

// String formats the UUID as 8-4-4-4-12 digits.
func (id uuid) String() string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// Identify sets stable ids for a written collection, its folders and its requests, so that importing it again
// updates the collection. They are UUIDs of version 5: a collection's is derived from its name and the server
// of most of its requests; within it a folder's from its names, a request's from its server, method and path.
// The order of requests does not matter; repetitions are counted. Existing ids are kept.
func Identify(root *tree.Value, b *budget.Budget) {
	i := identifier{values: map[string]string{}, taken: words.Unique{}, budget: b}
	for _, v := range root.Get("variable").Elements() {
		i.values[v.Get("key").Text()] = collection.ValueText(v.Get("value"))
	}
	requests := map[string]int{}
	i.count(root, requests)
	most := ""
	for _, server := range slices.Sorted(maps.Keys(requests)) {
		if requests[server] > requests[most] {
			most = server
		}
	}
	i.space = collections.named(root.Get("info").Get("name").Text() + "\n" + most)
	setID(root.Get("info"), "_postman_id", 0, i.space)
	i.items(root.Get("item"), "")
}

// setID inserts an id if there is none.
func setID(object *tree.Value, member string, position int, id uuid) {
	if object.Get(member).Text() == "" {
		object.Delete(member)
		object.Insert(min(position, object.Len()), member, tree.NewString(id.String()))
	}
}

// identifier sets the ids of the items of one collection.
type identifier struct {
	space  uuid
	values map[string]string // of the collection's variables
	taken  words.Unique      // names of items
	budget *budget.Budget
}

// count counts the requests to each known server.
func (i *identifier) count(group *tree.Value, requests map[string]int) {
	for _, item := range group.Get("item").Elements() {
		if item.Has("item") {
			i.count(item, requests)
			continue
		}
		a, _ := collection.URLOf(item.Get("request").Get("url"))
		if server := i.server(&a); server != "" {
			requests[server]++
		}
	}
}

// server returns the server of a URL, or "" if it is unknown: a variable without a value, or with one that has variables.
func (i *identifier) server(a *collection.URL) string {
	server := request.Substitute(a.Protocol+"://"+a.Host+":"+a.Port, func(name string) string {
		i.budget.Bytes(len(i.values[name]))
		return cmp.Or(i.values[name], "{{}}")
	})
	if a.Host == "" || strings.Contains(server, "{{") {
		return ""
	}
	return server
}

// items processes the items of a folder, which is identified by its name and those of its parents.
func (i *identifier) items(list *tree.Value, folder string) {
	for _, item := range list.Elements() {
		if !item.Has("item") {
			sent := item.Get("request")
			a, _ := collection.URLOf(sent.Get("url"))
			path := "/" + strings.Join(a.Segments, "/")
			i.set(item, "request "+i.server(&a)+" "+sent.Get("method").Text()+" "+path)
			continue
		}
		// A digest, because folders can be nested as deeply as a document.
		inner := i.space.named(folder + "/" + item.Get("name").Text()).String()
		i.set(item, "folder "+inner)
		i.items(item.Get("item"), inner)
	}
}

// set sets the id of an item by its name within the collection.
func (i *identifier) set(item *tree.Value, name string) {
	if own := item.Get("_postman_id").Text(); own != "" && !item.Has("id") { // of older exports
		item.Set("id", tree.NewString(own))
	}
	setID(item, "id", 1, i.space.named(i.taken.Separated(name, " ")))
}
