package writer

import (
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// settings writes transport options as Postman's settings and returns those that Postman has no setting for.
func settings(item, sent *tree.Value, options []request.Option) (lost []request.Option) {
	behaviour, proxy, certificate := tree.NewObject(), tree.NewObject(), tree.NewObject()
	for _, option := range options {
		switch option.Name {
		case "location":
			behaviour.Set("followRedirects", tree.NewBool(true))
		case "no-location":
			behaviour.Set("followRedirects", tree.NewBool(false))
		case "max-redirs":
			if n, err := strconv.Atoi(option.Value); err == nil && n >= 0 {
				behaviour.Set("maxRedirects", tree.NewInt(n))
			}
		case "insecure":
			behaviour.Set("strictSSL", tree.NewBool(false))
		case "http1.1":
			behaviour.Set("protocolVersion", tree.NewString("http1"))
		case "http2":
			behaviour.Set("protocolVersion", tree.NewString("http2"))
		case "proxy":
			writeProxy(proxy, option.Value)
		case "cert":
			certificate.Set("cert", tree.NewObject().Set("src", tree.NewString(option.Value)))
		case "key":
			certificate.Set("key", tree.NewObject().Set("src", tree.NewString(option.Value)))
		case "pass":
			certificate.Set("passphrase", tree.NewString(option.Value))
		case "compressed": // Postman always accepts compressed responses
		default:
			lost = append(lost, option)
		}
	}
	if behaviour.Len() > 0 {
		item.Set("protocolProfileBehavior", behaviour)
	}
	if proxy.Len() > 0 {
		sent.Set("proxy", proxy)
	}
	if certificate.Len() > 0 {
		sent.Set("certificate", certificate)
	}
	return lost
}

// writeProxy writes a proxy's URL. Postman only has its host and port, and sends HTTP to a host without a protocol.
func writeProxy(proxy *tree.Value, text string) {
	a := collection.ParseURL(text)
	host := a.Host
	if a.Protocol != "" && a.Protocol != "http" {
		host = a.Protocol + "://" + host
	}
	proxy.Set("match", tree.NewString("http+https://*/*")).Set("host", tree.NewString(host))
	if collection.IsNumber(a.Port) {
		proxy.Set("port", tree.NewNumber(a.Port))
	}
	proxy.Set("tunnel", tree.NewBool(false)).Set("disabled", tree.NewBool(false))
}
