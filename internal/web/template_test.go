package web

import "testing"

// TestFill checks that values cannot become markup.
func TestFill(t *testing.T) {
	hostile := `"><script>'&{{other}}{{#part}}`
	for template, want := range map[string]string{
		"":                                       "",
		"a":                                      "a",
		"a {":                                    "a {",
		`<p title="{{hostile}}">{{hostile}}</p>`: `<p title="&#34;&gt;&lt;script&gt;&#39;&amp;{{other}}{{#part}}">&#34;&gt;&lt;script&gt;&#39;&amp;{{other}}{{#part}}</p>`,
		"{{number}} {{html}}":                    "7 <b>",
		"{{#none}}x{{/none}}{{#yes}}y{{/yes}}":   "y",
		"{{#list}}[{{number}}{{name}}]{{/list}}end": "[7a][8b]end",
	} {
		got := fill(template, values{
			"hostile": hostile, "number": 7, "html": markup("<b>"), "none": false, "yes": true,
			"list": []values{{"name": "a"}, {"name": "b", "number": 8}},
		})
		if string(got) != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
	for _, template := range []string{"{{missing}}", "{{#missing}}{{/missing}}", "{{#text}}{{/text}}", "{{yes}}"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is filled", template)
				}
			}()
			fill(template, values{"text": "", "yes": true})
		}()
	}
}
