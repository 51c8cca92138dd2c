package naming

import "testing"

func TestResourceOf(t *testing.T) {
	for path, want := range map[string]string{
		"/users/{id}": "User", "/v1/orders/{id}/line_items": "LineItem", "/orders/{id}/cancel": "Order", "/search": "Search",
		"/users.json": "UsersJson", "/2.0/folders/628210759": "Folder",
		"/": "", "/{a}/{b}": "", "/api/v2": "Api", "/orders/search#example.com": "Order", "/user%20groups": "UserGroup",
	} {
		if got := ResourceOf(path); got != want {
			t.Errorf("%s: want %q, got %q", path, want, got)
		}
	}
}
