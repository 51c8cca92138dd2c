package writer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// TestKeys checks that an API key among the parameters becomes a security scheme and not a parameter.
func TestKeys(t *testing.T) {
	bearer := &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.Bearer}}}}
	for _, c := range []struct {
		name                          string
		requests                      []*request.Request
		security, schemes, parameters string
	}{
		{"a header", []*request.Request{{Headers: parameters{{Name: "X-API-Key", Value: "{{k}}"}, {Name: "X-Trace", Value: "a"}}}},
			`[{"apiKeyAuth":[]}]`, `{"apiKeyAuth":{"type":"apiKey","name":"X-API-Key","in":"header"}}`,
			`[{"name":"X-Trace","in":"header","required":false,"schema":{"type":"string"},"example":"a"}]`},
		{"two that are needed together", []*request.Request{{Headers: parameters{{Name: "DD-API-KEY"}, {Name: "DD-APPLICATION-KEY"}}}},
			`[{"ddApiKey":[],"ddApplicationKey":[]}]`,
			`{"ddApiKey":{"type":"apiKey","name":"DD-API-KEY","in":"header"},"ddApplicationKey":{"type":"apiKey","name":"DD-APPLICATION-KEY","in":"header"}}`, ``},
		{"next to another credential", []*request.Request{{Security: bearer, Headers: parameters{{Name: "apikey"}}}},
			`[{"bearerAuth":[],"apiKeyAuth":[]}]`, `{"bearerAuth":{"type":"http","scheme":"bearer"},"apiKeyAuth":{"type":"apiKey","name":"apikey","in":"header"}}`, ``},
		{"a parameter that the authentication sends", []*request.Request{{
			Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.APIKey, Key: "x-api-key", In: request.InHeader}}}},
			Headers:  parameters{{Name: "X-Api-Key"}}}},
			`[{"apiKeyAuth":[]}]`, `{"apiKeyAuth":{"type":"apiKey","name":"x-api-key","in":"header"}}`, ``},
		{"headers whose names say so", []*request.Request{{Headers: parameters{{Name: "X-Edge-Token", Value: "{{t}}"}, {Name: "AccessKey", Value: "YOUR_KEY"}}}},
			`[{"edgeToken":[],"accessKey":[]}]`,
			`{"edgeToken":{"type":"apiKey","name":"X-Edge-Token","in":"header"},"accessKey":{"type":"apiKey","name":"AccessKey","in":"header"}}`, ``},
		{"of one of two requests", []*request.Request{{Headers: parameters{{Name: "PRIVATE-TOKEN"}}}, {}},
			`[{"privateToken":[]},{}]`, `{"privateToken":{"type":"apiKey","name":"PRIVATE-TOKEN","in":"header"}}`, ``},
		{"not sent", []*request.Request{{Headers: parameters{{Name: "X-API-Key", Value: "a", Disabled: true}}}},
			`[]`, ``, `[{"name":"X-API-Key","in":"header","required":false,"schema":{"type":"string"},"examples":{"notSent":{"summary":"Not sent","value":"a"}}}]`},
		{"in the query", []*request.Request{{Query: parameters{{Name: "api_key", Value: "x"}}}},
			`[{"apiKeyAuth":[]}]`, `{"apiKeyAuth":{"type":"apiKey","name":"api_key","in":"query"}}`, ``},
		{"a word that says less", []*request.Request{{Query: parameters{{Name: "key", Value: "x"}}}},
			`[]`, ``, `[{"name":"key","in":"query","required":false,"schema":{"type":"string"},"example":"x"}]`},
		{"in the query under another name", []*request.Request{{Query: parameters{{Name: "appid", Value: "YOUR_API_KEY"}}}},
			`[{"apiKeyAuth":[]}]`, `{"apiKeyAuth":{"type":"apiKey","name":"appid","in":"query"}}`, ``},
		{"a session", []*request.Request{{Cookies: parameters{{Name: "sessionid", Value: "x"}, {Name: "theme", Value: "dark"}}}},
			`[{"sessionCookie":[]}]`, `{"sessionCookie":{"type":"apiKey","name":"sessionid","in":"cookie"}}`,
			`[{"name":"theme","in":"cookie","required":false,"schema":{"type":"string"},"example":"dark"}]`},
		{"schemes of HTTP", []*request.Request{{Security: request.Require(&request.Auth{Kind: request.NTLM})}, {Security: request.Require(&request.Auth{Kind: request.OAuth1})}},
			`[{"ntlmAuth":[]},{"oauth1":[]}]`,
			`{"ntlmAuth":{"type":"http","scheme":"ntlm","description":"NTLM authentication"},"oauth1":{"type":"http","scheme":"oauth","description":"OAuth 1.0 signature"}}`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range c.requests {
				r.Method, r.Path = "GET", "/a"
			}
			root := Write(&request.API{Requests: c.requests}, versions.V31, nil, nil)
			if err := documenttest.Validate(t, root); err != nil {
				t.Error(err)
			}
			want := map[string]string{
				"/security": c.security, "/components/securitySchemes": c.schemes, "/paths/~1a/get/parameters": c.parameters,
			}
			if diff := cmp.Diff(want, documenttest.At(t, root, want)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
