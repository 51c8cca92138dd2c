package apiconvert

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/shelltest"
)

// planted are the secrets in a copied request.
var planted = []string{"Zq81hd72KKx", "Rm55tw19QQz", "sk_live_4eC39HqLyjWDarjtT1zdp7dc"}

// copied returns a random request with the secrets in it.
func copied(random *rand.Rand) shelltest.Request {
	line := func() string { return strings.NewReplacer("\n", "", "\t", "").Replace(shelltest.Text(random.IntN, 6)) }
	password, _ := json.Marshal(map[string]string{"note": shelltest.Text(random.IntN, 10), "password": planted[0]})
	r := shelltest.Request{
		URL:    "https://a.test/login/" + []string{"", "é", "a%20b", "x(1)", "a'b"}[random.IntN(5)] + "?a=1&b=" + []string{"", "%7B%22x%22%7D", "c;d", "[0]"}[random.IntN(4)],
		Method: []string{"POST", "PUT"}[random.IntN(2)],
		Headers: [][2]string{
			{"accept", "*/*"}, {"sec-ch-ua", `"Chromium";v="140", "Not=A?Brand";v="24"`}, {"x-note", "n" + line() + "."}, {"authorization", "Bearer " + planted[2]},
		},
		Cookies: [][2]string{{"sid", planted[1]}, {"theme", "dark"}},
		Agent:   "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36",
		Type:    "application/json",
		Body:    string(password),
	}
	if random.IntN(3) == 0 {
		r.Type, r.Body = "text/plain", "t"+shelltest.Text(random.IntN, 20)+"."
	}
	return r
}

// posix returns the curl command that sends what PowerShell sends, in the same order.
func posix(r shelltest.Request) string {
	parts := []string{"curl", "--request", r.Method, "--globoff", "--url", r.URL, "--header", "Content-Type: " + r.Type}
	for _, h := range r.Headers {
		parts = append(parts, "--header", h[0]+": "+h[1])
	}
	parts = append(parts, "--user-agent", r.Agent, "--cookie", "sid="+planted[1]+"; theme=dark", "--data-raw", r.Body)
	for i, part := range parts[1:] {
		parts[i+1] = shelltest.QuotePOSIX(part)
	}
	return strings.Join(parts, " ")
}

// line matches the places of secrets, which each shell's layout moves.
var line = regexp.MustCompile(` in (?:command|line)s? [0-9][^.]*`)

var address = regexp.MustCompile(`https?://[^/"'\s]*`)

// For every shell that a browser copies a request for, each target gets the same output as from the request copied for
// POSIX, and the dialect is reported. No secret remains, and no host appears that wasn't in the request.
func TestCopiedRequests(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		r := copied(random)
		texts := map[string]string{}
		for _, form := range shelltest.Forms {
			texts[form.Name] = form.Curl(r)
		}
		for target := range targets {
			want := call(t, "text/plain", texts["bash"], target)
			for name, text := range texts {
				if name != "bash" {
					same(t, name, target, text, want.Value, want.Warnings)
				}
			}
			want = call(t, "text/plain", posix(r), target)
			same(t, "PowerShell", target, shelltest.PowerShell(r), want.Value, want.Warnings)
		}
	}
}

func same(t *testing.T, name, target, text, want string, warnings []string) {
	t.Helper()
	got := call(t, "text/plain", text, target)
	if target == "curl" { // a POSIX script is rewritten with its layout, so compare what is sent
		sends := func(text string) string {
			return strings.Join(requestsOf(model(t, "text/plain", text), view{values: true}), "\n")
		}
		got.Value, want = sends(got.Value), sends(want)
	}
	if got.Value != want {
		t.Errorf("%s to %s: %q\nwant %s\ngot %s", name, target, text, want, got.Value)
	}
	reported := slices.DeleteFunc(slices.Clone(got.Warnings), func(w string) bool { return strings.HasPrefix(w, "changed.dialect: ") })
	if len(reported) != len(got.Warnings)-1 || line.ReplaceAllString(strings.Join(reported, "\n"), "") != line.ReplaceAllString(strings.Join(warnings, "\n"), "") {
		t.Errorf("%s to %s: want the dialect and %q, got %q", name, target, warnings, got.Warnings)
	}
	for _, secret := range planted {
		if strings.Contains(got.Value+strings.Join(got.Warnings, ""), secret) {
			t.Errorf("%s to %s: %s survives", name, target, secret)
		}
	}
	for _, host := range address.FindAllString(got.Value, -1) {
		if host != "https://a.test" && !strings.HasPrefix(host, "https://schema.getpostman.com") && !strings.HasPrefix(host, "https://spec.openapis.org") {
			t.Errorf("%s to %s: the host %s is nobody's", name, target, host)
		}
	}
}
