package naming

import "testing"

func TestSummary(t *testing.T) {
	for title, want := range map[string]string{
		"1. Create a deployment": "Create a deployment",
		"(3) Pull a layer":       "Pull a layer",
		"Step 2: Sign in":        "Sign in",
		"TEST 10 - Sign out":     "Sign out",
		"Test 1":                 "Test 1",
		"Step 2 of signing in":   "Step 2 of signing in",
		"2FA setup":              "2FA setup",
		"Curl a stone":           "Curl a stone",
		"Get {id}":               "Get {id}",
		"404":                    "404",
	} {
		if got := Summary(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}

func TestResourceOf(t *testing.T) {
	for path, want := range map[string]string{
		"/users/{id}": "User", "/v1/orders/{id}/line_items": "LineItem", "/orders/{id}/cancel": "Order", "/search": "Search",
		"/users.json": "UsersJson", "/2.0/folders/628210759": "Folder",
		"/": "", "/{a}/{b}": "", "/api/v2": "Api", "/projects/v1beta1": "Project", "/orders/search#example.com": "Order", "/user%20groups": "UserGroup",
	} {
		if got := ResourceOf(path); got != want {
			t.Errorf("%s: want %q, got %q", path, want, got)
		}
	}
}
