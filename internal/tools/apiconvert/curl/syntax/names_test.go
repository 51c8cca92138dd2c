package syntax

import (
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

func TestShellNames(t *testing.T) {
	for name, want := range map[string][2]string{ // as in the source, and as generated for a secret
		"TOKEN": {"TOKEN", "TOKEN"}, "token": {"token", "TOKEN"}, "base_url": {"base_url", "BASE_URL"},
		"baseUrl": {"baseUrl", "BASE_URL"}, "X-Api-Key": {"X_Api_Key", "X_API_KEY"}, "APIKey": {"APIKey", "API_KEY"},
		"2fa": {"API_2fa", "API_2FA"}, "": {"VALUE", "VALUE"}, "ключ": {"VALUE", "VALUE"}, "a b": {"a_b", "A_B"},
		"$guid": {"guid", "GUID"}, "Home": {"Home", "API_HOME"}, "a--b": {"a_b", "A_B"}, "_id": {"_id", "ID"},
		"GITHUB_TOKEN": {"API_GITHUB_TOKEN", "API_GITHUB_TOKEN"}, "API_TOKEN": {"API_TOKEN", "API_TOKEN"}, "API_GITHUB_TOKEN": {"API_GITHUB_TOKEN", "API_GITHUB_TOKEN"},
	} {
		if got := ShellName(name, nil); got != want[0] {
			t.Errorf("%q: %s, want %s", name, got, want[0])
		}
		if got := ShellName(name, &request.Variable{Invented: true}); got != want[1] {
			t.Errorf("%q: %s, want %s when it is invented", name, got, want[1])
		}
	}
	var n Names
	if a, b, c := n.Of("a b", nil), n.Of("a-b", nil), n.Of("a b", nil); a == b || a != c {
		t.Errorf("%s %s %s", a, b, c)
	}
}
