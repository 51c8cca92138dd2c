package request

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// counts are the options whose value is a number without personal information, so that a warning may show it.
var counts = words.Set(`retry retry-delay retry-max-time max-time connect-timeout max-redirs speed-limit speed-time limit-rate
	max-filesize keepalive-time keepalive-cnt expect100-timeout happy-eyeballs-timeout-ms tls-max tlsv1 rate local-port
	create-file-mode`)

// String returns the option as a warning shows it: --retry 3, --resolve.
func (o Option) String() string {
	if counts[o.Name] && isCount(o.Value) {
		return "--" + o.Name + " " + o.Value
	}
	return "--" + o.Name
}

// isCount reports whether a value is a short number with its unit.
func isCount(value string) bool {
	return value != "" && len(value) <= 8 &&
		!strings.ContainsFunc(value, func(c rune) bool { return c < 'A' && !strings.ContainsRune("0123456789./", c) })
}

// settings maps options to Postman's names for them.
var settings = map[string]string{
	"location": "followRedirects", "no-location": "followRedirects", "max-redirs": "maxRedirects",
	"insecure": "strictSSL", "http1.1": "protocolVersion", "http2": "protocolVersion",
	"proxy": "proxy", "cert": "certificate.cert", "key": "certificate.key", "pass": "certificate.passphrase",
}

// WarnOptions warns about options that a target doesn't support, by their names in the source.
func (r *Request) WarnOptions(warnings *warning.List, f warning.Feature, options ...Option) {
	postman := r.Place != nil && !warning.InScript(r.Place)
	names := make([]string, len(options))
	for i, o := range options {
		if names[i] = o.String(); postman && settings[o.Name] != "" {
			names[i] = settings[o.Name]
		}
	}
	switch {
	case len(names) == 0:
	case f == warning.LostCURLOption && postman:
		warnings.AddNamed(warning.LostSettings, r.Place, names...)
	default:
		warnings.AddNamed(f, r.Place, names...)
	}
}

// OtherMediaTypes returns the media types of all bodies except the first, which is sent.
func (r *Request) OtherMediaTypes() []string {
	var list []string
	for _, b := range r.Bodies[min(1, len(r.Bodies)):] {
		list = append(list, b.MediaType)
	}
	return list
}
