package writer

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

func TestOperationIDs(t *testing.T) {
	for name, want := range map[string]string{
		"2. create an order": "createAnOrder", "1.2) Create an order": "createAnOrder", "(3) create": "create",
		"[4] create": "create", "04 - create": "create", "#5: create": "create", "6_create": "create", "7.create": "create",
		"Get user by ID": "getUserByID", "Delete a user's key!": "deleteAUsersKey", "LIST ALL ORDERS": "listAllOrders",
		"create order (v2)": "createOrderV2", "Find, sort & page": "findSortPage", "ping": "ping", "GET": "get",
		// A number with a meaning is kept. A name that can't be an identifier is replaced by the method and path.
		"2FA setup": "getOrders2faSetup", "404": "getOrders404", "3.": "getOrders3", "": "getOrders", "日本": "getOrders",
	} {
		w := &writer{operations: words.Unique{}}
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

// TestTitles checks the generated titles of unnamed operations.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ method, path, summary, id string }{
		{"GET", "/api/v2/projects", "List projects", "listProjects"},
		{"POST", "/v1/projects", "Create a project", "createProject"},
		{"GET", "/projects/{id}", "Get a project", "getProject"},
		{"PUT", "/orders/{id}", "Replace an order", "replaceOrder"},
		{"PATCH", "/line_items/{id}", "Update a line item", "updateLineItem"},
		{"DELETE", "/users.json", "Delete users", "deleteUsers"},
		{"POST", "/tasks/{id}/complete", "Complete a task", "completeTask"},
		{"POST", "/orders/search", "Search orders", "searchOrders"},
		{"POST", "/users/login", "Log in", "login"},
		{"GET", "/profile", "Get profile", "getProfile"},
		{"GET", "/getUsers", "Get users", "getUsers"},
		{"GET", "/projects/{id}/tasks", "List project tasks", "listProjectTasks"},
		{"GET", "/users/{id}/tasks", "List user tasks", "listUserTasks"},
		// Without a resource in the path, the title is the method and path.
		{"GET", "/", "GET /", "get"},
		{"GET", "/2.0", "GET /2.0", "get20"},
		{"POST", "/api/graphql", "POST /api/graphql", "postGraphql"},
		{"GET", "/files/install.sh", "GET /files/install.sh", "getFilesInstallSh"},
		{"POST", "/users/{id}", "POST /users/{id}", "postUsersId"},
		{"GET", "/users/me", "GET /users/me", "getUsersMe"},
		{"GET", "/reports/q3x", "GET /reports/q3x", "getReportsQ3x"},
		{"OPTIONS", "/projects", "OPTIONS /projects", "optionsProjects"},
		{"GET", "/日本", "GET /%E6%97%A5%E6%9C%AC", "getE697A5E69CAC"},
	} {
		api := &request.API{Title: "T", Requests: []*request.Request{{Method: c.method, Path: c.path}}}
		if strings.HasPrefix(c.summary, "List project ") || strings.HasPrefix(c.summary, "List user ") {
			api.Requests = append(api.Requests, &request.Request{Method: c.method, Path: "/{a}/tasks"})
		}
		root := Write(api, versions.V31, nil, nil)
		for _, item := range root.Get("paths").Members() {
			o := item.Get(strings.ToLower(c.method))
			if o.Get("summary").Text() != c.summary || o.Get("operationId").Text() != c.id {
				t.Errorf("%s %s: %s, %s", c.method, c.path, o.Get("summary").Text(), o.Get("operationId").Text())
			}
			break
		}
	}
}
