package openapi

import (
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

func TestOperationIDs(t *testing.T) {
	for name, want := range map[string]string{
		"2. create an order": "createAnOrder", "1.2) Create an order": "createAnOrder", "(3) create": "create",
		"[4] create": "create", "04 - create": "create", "#5: create": "create", "6_create": "create", "7.create": "create",
		"Get user by ID": "getUserByID", "Delete a user's key!": "deleteAUsersKey", "LIST ALL ORDERS": "listAllOrders",
		"create order (v2)": "createOrderV2", "Find, sort & page": "findSortPage", "ping": "ping", "GET": "get",
		// A number that says something stays, and a name that cannot be one gives way to method and path.
		"2FA setup": "getOrders2faSetup", "404": "getOrders404", "3.": "getOrders3", "": "getOrders", "日本": "getOrders",
	} {
		w := &writer{operations: unique{}}
		g := &group{shape: shape{template: "/orders"}, method: "GET", calls: []*call{{Request: &request.Request{Name: name}}}}
		if got := w.operationID(g); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestDescribeAll(t *testing.T) {
	g := &group{calls: []*call{
		{Request: &request.Request{Name: "One", Description: "First."}},
		{Request: &request.Request{Name: "Two", Description: "Second.\n\n```\ncode\n```"}},
		{Request: &request.Request{Name: "Three", Description: "First."}},
		{Request: &request.Request{Name: "One", Description: "Second.\n\n```\ncode\n```"}},
		{Request: &request.Request{Description: "Fourth."}},
	}}
	const want = "First.\n\nAlso used as:\n\n- Two\n\n  Second.\n\n  ```\n  code\n  ```\n- Three\n- Fourth."
	if got := describeAll(g); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProtocolRelativeServer(t *testing.T) {
	doc, err := tree.ReadJSON(`{"openapi":"3.1.0","info":{"title":"T","version":"1"},"servers":[{"url":"//api.acme.test/v2/"}],"paths":{}}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	api, err := Read(doc, versions.V31, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := api.Servers[0].URL; got != "https://api.acme.test/v2" {
		t.Error(got)
	}
}
