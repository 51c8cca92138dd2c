package reader

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// behaviour is the protocolProfileBehavior of an item: its own and those of its folders and the collection,
// innermost first.
type behaviour struct {
	own   *tree.Value
	outer *behaviour
}

// behaviour adds the settings of a collection, folder or item to those of its parent, and warns about settings
// that the model doesn't have.
func (r *reader) behaviour(outer *behaviour, v *tree.Value, at *tree.Value) *behaviour {
	own := v.Get("protocolProfileBehavior")
	if own.Len() == 0 {
		return outer
	}
	for name, value := range own.Members() {
		if !plainSettings[name] && (value.Bool() || value.Len() > 0 || value.Kind() == tree.Number || value.Text() != "") {
			r.warnings.AddNamed(warning.LostSettings, at, name)
		}
	}
	return &behaviour{own: own, outer: outer}
}

// get returns a setting, or nil if it is not set.
func (b *behaviour) get(name string) *tree.Value {
	for ; b != nil; b = b.outer {
		if v := b.own.Get(name); v != nil {
			return v
		}
	}
	return nil
}

// plainSettings are settings that the model's transport expresses, or that are the default of other programs.
var plainSettings = words.Set("followRedirects maxRedirects strictSSL protocolVersion disableBodyPruning")

// undefined warns about members of a proxy or a certificate that the model doesn't have.
func (r *reader) undefined(v *tree.Value, names ...string) {
	for _, name := range names {
		if member := v.Get(name); member.Bool() || member.Len() > 0 || member.Text() != "" {
			r.warnings.AddNamed(warning.LostSettings, v, name)
		}
	}
}

// transport reads the settings that control how a request is sent.
func (r *reader) transport(v *tree.Value, behavior *behaviour) []request.Option {
	var options []request.Option
	bare := func(name string) { options = append(options, request.Option{Name: name, Bare: true}) }
	valued := func(name, value string) {
		if value != "" {
			options = append(options, request.Option{Name: name, Value: value})
		}
	}
	switch behavior.get("followRedirects").Kind() {
	case tree.True:
		bare("location")
	case tree.False:
		bare("no-location")
	}
	if text, ok := behavior.get("maxRedirects").Scalar(); ok && collection.IsNumber(text) {
		valued("max-redirs", text)
	}
	if behavior.get("strictSSL").Kind() == tree.False {
		bare("insecure")
	}
	switch behavior.get("protocolVersion").Text() {
	case "http1":
		bare("http1.1")
	case "http2":
		bare("http2")
	}
	if proxy := v.Get("proxy"); proxy.Get("host").Text() != "" && !proxy.Get("disabled").Bool() {
		address := proxy.Get("host").Text()
		if port, ok := proxy.Get("port").Scalar(); ok {
			address += ":" + port
		}
		valued("proxy", address)
		r.undefined(proxy, "match", "tunnel")
	}
	certificate := v.Get("certificate")
	valued("cert", collection.ValueText(certificate.Get("cert").Get("src")))
	valued("key", collection.ValueText(certificate.Get("key").Get("src")))
	valued("pass", certificate.Get("passphrase").Text())
	r.undefined(certificate, "name", "matches")
	return options
}
