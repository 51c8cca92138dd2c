package apiconvert

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// planter generates sources that contain secrets and strings that only look like secrets.
type planter struct {
	*rand.Rand
	secrets []string
}

const (
	letters = "abcdefghijkmnpqrstuvwyzABCDEFGHJKLMNPQRSTUVWYZ" // xxxx is a placeholder
	digits  = "23456789"
)

func (p *planter) random(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[p.IntN(len(alphabet))]
	}
	return string(b)
}

// value returns a secret that only its name or its location reveals.
func (p *planter) value() string {
	text := p.random(letters, 1) + p.random(letters+digits, 4) + p.random(digits, 2) + p.random(letters+digits+"-+/.~!", 6) + p.random(letters, 2)
	p.secrets = append(p.secrets, text)
	return text
}

// shaped returns a secret that its shape reveals.
func (p *planter) shaped() string {
	alnum := letters + digits
	var text string
	switch p.IntN(5) {
	case 0:
		text = "glpat-" + p.random(alnum, 19) + p.random(digits, 1)
	case 1:
		text = "rk_live_" + p.random(alnum, 24)
	case 2:
		text = "npm_" + p.random(alnum, 36)
	case 3:
		text = "eyJ" + p.random(alnum, 20) + "." + p.random(alnum, 30) + "." + p.random(alnum+"-_", 43)
	default:
		text = "xapp-1-" + p.random(alnum, 22) + p.random(digits, 2)
	}
	p.secrets = append(p.secrets, text)
	return text
}

// pick returns one of several strings.
func (p *planter) pick(texts ...string) string { return texts[p.IntN(len(texts))] }

func (p *planter) sensitiveName() string {
	return p.pick("passphrase", "db_password", "refreshToken", "signing-key", "x-api-key", "clientSecret", "userPwd", "private_key", "otp", "sessionId", "webhook_secret", "authorization")
}

// encodings write a name and a value next to harmless ones.
var encodings = []func(p *planter, name, value string) string{
	func(_ *planter, name, value string) string {
		return fmt.Sprintf("{\n  \"town\": \"Lyon\", %s : %s, \"limit\": 20\n}", quoted(name), quoted(value))
	},
	func(_ *planter, name, value string) string {
		inner := fmt.Sprintf(`{"town":"Lyon",%s:[%s]}`, quoted(name), quoted(value))
		return fmt.Sprintf(`{"event":%s,"version":2}`, quoted(inner))
	},
	func(_ *planter, name, value string) string {
		inner := quoted(fmt.Sprintf(`{"town":"Lyon",%s:%s}`, quoted(name), quoted(value)))
		return inner[1 : len(inner)-1]
	},
	func(_ *planter, name, value string) string {
		return "town=Lyon&" + url.QueryEscape(name) + "=" + url.QueryEscape(value) + "&page=2"
	},
	func(p *planter, name, value string) string {
		end, delimiter := p.pick("\r\n", "\n"), "--edge"+p.random(digits, 9)
		head := fmt.Sprintf("%s|Content-Disposition: form-data; name=\"town\"||Lyon|%s|Content-Disposition: form-data; name=%s||", delimiter, delimiter, quoted(name))
		return strings.ReplaceAll(head, "|", end) + value + end + delimiter + "--" + end
	},
	func(_ *planter, name, value string) string {
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(value)
		return fmt.Sprintf(`<?xml version="1.0"?><order town="Lyon"><%s>%s</%s></order>`, name, escaped, name)
	},
	func(_ *planter, name, value string) string {
		return fmt.Sprintf(`<c><entry key=%s value="%s"/></c>`, quoted(name), strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;").Replace(value))
	},
	func(_ *planter, name, value string) string {
		return fmt.Sprintf(`[{"name":%s,"value":%s},{"id": {{id}}}, {"cut": "off`, quoted(name), quoted(value))
	},
}

func quoted(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}

// nested returns a secret in up to three nested encodings.
func (p *planter) nested() string {
	name, text := p.sensitiveName(), p.value()
	for level := range 1 + p.IntN(3) {
		if level > 0 {
			name = p.pick("payload", "data", "message", "envelope")
		}
		text = encodings[p.IntN(len(encodings))](p, name, text)
	}
	return text
}

// lookAlikes are strings that look like secrets but aren't.
var lookAlikes = []string{
	"3f786850e387550fdab836ed7e6dc881de23001b", "7d444840-9dc0-11d1-b245-5ffdce74fad2", "max_completion_tokens",
	"partition_key_v2", "order_status_2", "warehouse_north", "#/components/schemas/AccessTokenList", "AccessTokenList",
}

// shell generates a shell script.
func (p *planter) shell() string {
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	var b strings.Builder
	for range 3 {
		fmt.Fprintf(&b, "# Calls with %s\n", p.shaped())
		fmt.Fprintf(&b, "curl 'https://h.test/%s/%s?%s=%s&id=%s' -H %s -H %s -b %s -u %s --data-raw %s\n", lookAlikes[0], p.shaped(),
			p.sensitiveName(), url.QueryEscape(p.value()), lookAlikes[1],
			quote("X-Session-Token: "+p.value()), quote("X-Trace: "+lookAlikes[1]), quote("sid="+p.random(letters+digits, 5)+p.value()), quote("kim:"+p.value()), quote(p.nested()))
		fmt.Fprintf(&b, "curl https://h.test/f -F %s --form-string %s -H %s\n", quote(p.sensitiveName()+"="+p.value()), quote("note="+p.nested()), quote("Authorization: Bearer "+p.value()))
		fmt.Fprintf(&b, "DATA=%s\nexport LINK=%s\ncurl -d \"$DATA\" -H \"X-Link: $LINK\" https://h.test/v\n", quote(p.nested()), quote("https://kim:"+url.PathEscape(p.value())+"@h.test/"))
	}
	return b.String()
}

// collection generates a collection.
func (p *planter) collection() string {
	pair := func(key, value string) string {
		return fmt.Sprintf(`{"key":%s,"value":%s}`, quoted(key), quoted(value))
	}
	var items []string
	for i := range 3 {
		items = append(items, fmt.Sprintf(`{"name":"call %d","request":{"method":"POST","description":%s,"header":[%s,%s],"url":{"raw":"https://h.test/%s","protocol":"https","host":["h","test"],"path":[%s],"query":[%s]},
			"auth":{"type":"basic","basic":[%s,%s]},"body":{"mode":"raw","raw":%s}},
			"response":[{"name":"ok","code":200,"header":[%s],"body":%s}]}`, i, quoted("use "+p.shaped()+" for "+lookAlikes[1]),
			pair("X-"+p.pick("Api-Key", "Auth-Token"), p.value()), pair("X-Kept", lookAlikes[0]), lookAlikes[3], quoted(lookAlikes[3]), pair(p.sensitiveName(), url.QueryEscape(p.value())),
			pair("username", "kim"), pair("password", p.value()), quoted(p.nested()), pair("Set-Cookie", "session="+p.random(digits, 2)+p.value()+"; Path=/"), quoted(p.nested())))
		items = append(items, fmt.Sprintf(`{"name":"form %d","request":{"method":"POST","url":"https://h.test/form","body":{"mode":"formdata","formdata":[%s,%s]}}}`,
			i, pair(p.sensitiveName(), p.value()), pair("blob", p.nested())))
	}
	return fmt.Sprintf(`{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"variable":[%s,%s,%s],"item":[%s]}`,
		pair(p.sensitiveName(), p.value()), pair("region", "eu-west-1"), pair("settings", p.nested()), strings.Join(items, ","))
}

// described generates an OpenAPI document.
func (p *planter) described() string {
	name := p.sensitiveName()
	return fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"t","version":"1","description":%s},"servers":[{"url":"https://kim:%s@h.test/v1"}],
		"paths":{"/%s/{id}":{"post":{"operationId":"partition_key_v2","parameters":[{"name":"id","in":"path","required":true,"example":%s,"schema":{"type":"string"}},
			{"name":%s,"in":"query","required":true,"example":%s,"schema":{"type":"string","default":%s}},
			{"name":"sid","in":"cookie","required":true,"example":%s,"schema":{"type":"string"}},
			{"name":"state","in":"query","required":true,"schema":{"type":"string","enum":["order_status_2","warehouse_north"],"default":"warehouse_north"}}],
			"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/AccessTokenList"},"example":{%s:%s,"depot":"warehouse_north","apiKey":"warehouse_north","note":%s}},"text/plain":{"example":%s}}},
			"responses":{"200":{"description":"ok","headers":{"X-Auth-Token":{"schema":{"type":"string"},"example":%s}},"content":{"application/json":{"example":{"value":%s}},"application/xml":{"examples":{"one":{"value":%s}}}}}},"x-test":{%s:%s}}},
			"/form":{"post":{"summary":%s,"externalDocs":{"url":%s},"requestBody":{"content":{"application/x-www-form-urlencoded":{"example":%s},"multipart/form-data":{"schema":{"type":"object","properties":{%s:{"type":"string","example":%s},"note":{"type":"string","default":%s}}}}}},"responses":{"4XX":{"description":%s}}}}},
		"components":{"schemas":{"AccessTokenList":{"type":"object","description":"of warehouse_north","properties":{"max_completion_tokens":{"type":"integer","default":20},"depot":{"type":"string"},
			"warehouse_north":{"type":"string","enum":["warehouse_north","south"]},%s:{"type":"string","format":"password","example":%s}}}}}}`,
		quoted("see "+p.shaped()), url.PathEscape(p.value()), "warehouse_north", quoted(lookAlikes[1]),
		quoted(name), quoted(p.value()), quoted(p.value()), quoted(p.value()),
		quoted(name), quoted(p.value()), quoted(p.nested()), quoted(p.nested()), quoted(p.value()), quoted(p.nested()), quoted(p.nested()), quoted(name), quoted(p.value()),
		quoted("try "+p.shaped()), quoted("https://h.test/?access_token="+url.QueryEscape(p.value())), quoted(encodings[3](p, name, p.value())), quoted(name), quoted(p.value()), quoted(p.nested()), quoted("with "+p.shaped()),
		quoted(name), quoted(p.value()))
}

// What is planted is gone in every spelling, from every target and warning, and what converting a source
// without secrets keeps is kept.
func TestRandomSecrets(t *testing.T) {
	t.Parallel()
	for seed := range check.Sample[uint64](5, 40, 200) {
		for kind, source := range map[string]func(*planter) string{
			"text/plain": (*planter).shell, "application/json": (*planter).collection, "application/yaml": (*planter).described,
		} {
			p := &planter{Rand: rand.New(rand.NewPCG(seed, 7))}
			text := source(p)
			control := text
			for _, secret := range p.secrets {
				for _, spelling := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
					control = strings.ReplaceAll(control, spelling, "{{x}}")
				}
			}
			for target := range targets {
				result := call(t, kind, text, target)
				all := result.Value + strings.Join(result.Warnings, "\n")
				for _, secret := range p.secrets {
					for _, spelling := range append(spellings(secret), quoted(secret)[1:len(quoted(secret))-1]) {
						if strings.Contains(all, spelling) {
							t.Errorf("seed %d, %s to %s: %s survives as %s", seed, kind, target, secret, spelling)
							break
						}
					}
				}
				plain := call(t, kind, control, target).Value
				for _, text := range lookAlikes {
					before, after := strings.Count(plain, text), strings.Count(result.Value, text)
					if kind == "application/yaml" && after != before || before > 0 && after == 0 {
						t.Errorf("seed %d, %s to %s: %s is gone (%d of %d)", seed, kind, target, text, after, before)
					}
				}
			}
			if t.Failed() {
				t.Logf("%s\n%s", kind, text)
				return
			}
		}
	}
}
