package apiconvert

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// sent is what one request sends, reduced to what every format can express.
type sent struct {
	method, path          string
	query, headers, named []string // sorted; named are cookies
	mediaType, body, auth string
}

func (s sent) String() string {
	return fmt.Sprintf("%s %s ?%v h%v c%v %s [%s] %s", s.method, s.path, s.query, s.headers, s.named, s.mediaType, s.body, s.auth)
}

// view selects what is compared.
type view struct {
	template bool // path variables as parameters, whatever their values
	signed   bool // authentication that signs each request
	values   bool // path parameter values that a user wrote
	disabled bool // parameters that are not sent
}

// requestsOf lists what the requests of a model send, sorted.
func requestsOf(api *request.API, v view) []string {
	var all []string
	for _, r := range api.Requests {
		all = append(all, v.requestOf(api, r).String())
	}
	slices.Sort(all)
	return all
}

func (v view) requestOf(api *request.API, r *request.Request) sent {
	used := v.used
	s := sent{method: r.Method, path: v.pathShape(api, r)}
	for _, p := range r.Query {
		if used(p) {
			name, err := url.QueryUnescape(p.Name)
			if err != nil {
				name = p.Name
			}
			s.query = append(s.query, name)
		}
	}
	for _, p := range r.Headers {
		if strings.EqualFold(p.Name, "cookie") { // disabled, so it was not parsed
			for pair := range strings.SplitSeq(p.Value, "; ") {
				name, _, _ := strings.Cut(pair, "=")
				s.named = append(s.named, name)
			}
			continue
		}
		if name := strings.ToLower(p.Name); used(p) && name != "accept" && name != "content-type" {
			s.headers = append(s.headers, name)
		}
	}
	for _, p := range r.Cookies {
		if used(p) {
			s.named = append(s.named, p.Name)
		}
	}
	s.credentials(api.Effective(r).First(), v)
	if len(r.Bodies) > 0 {
		s.content(r.Bodies[0], used)
	}
	for _, list := range []*[]string{&s.query, &s.headers, &s.named} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s
}

// used reports whether a parameter is compared.
func (v view) used(p *request.Parameter) bool {
	return v.disabled || p.Sent()
}

// pathShape returns a path with {} for its variable parts.
func (v view) pathShape(api *request.API, r *request.Request) string {
	values := map[string]string{}
	variables := api.Variables
	base := ""
	if r.Server != nil {
		base = r.Server.URL
		variables = append(slices.Clone(r.Server.Variables), variables...)
	}
	for _, v := range slices.Backward(variables) {
		values[v.Name] = v.Value
	}
	base = resolve(base, values)
	if _, authority, ok := strings.Cut(base, "://"); ok {
		base = authority
	}
	if slash := strings.IndexByte(base, '/'); slash >= 0 {
		base = base[slash:]
	} else {
		base = ""
	}
	for _, p := range r.PathParameters {
		if v.values && !p.Invented {
			values["{"+p.Name] = p.Value
		}
	}
	if v.template {
		values = nil
	}
	path := strings.TrimSuffix(base, "/") + resolve(r.Path, values)
	if text, err := url.PathUnescape(path); err == nil {
		path = text
	}
	return styled.ReplaceAllString(strings.TrimSuffix(path, "/"), "/{}")
}

// styled matches a path parameter in style label or matrix, with or without a value.
var styled = regexp.MustCompile(`/[.;][^/]*(?:\{\}|=)[^/]*`)

// resolve replaces variables in a string by their values, or by {} if unknown.
func resolve(text string, values map[string]string) string {
	var out strings.Builder
	for _, part := range request.SplitPath(text) {
		value := part.Text
		if part.Kind != request.LiteralPart {
			if part.Kind == request.ParameterPart {
				value = "{" + value
			}
			inner := values[value]
			delete(values, value) // ends a cycle
			if inner == "" {
				out.WriteString("{}")
			} else {
				out.WriteString(resolve(inner, values))
				values[value] = inner
			}
			continue
		}
		out.WriteString(value)
	}
	return out.String()
}

// credentials records how a request authenticates; an API key is a parameter in the formats that don't distinguish it.
func (s *sent) credentials(all []*request.Auth, v view) {
	for _, a := range all {
		if s.auth != "" && a.Kind != request.APIKey {
			continue // one Authorization header is sent
		}
		switch a.Kind {
		case request.APIKey:
			switch a.In {
			case request.InQuery:
				s.query = append(s.query, a.Key)
			case request.InCookie:
				s.named = append(s.named, a.Key)
			default:
				s.headers = append(s.headers, strings.ToLower(a.Key))
			}
		case request.Bearer, request.OAuth2, request.OpenIDConnect:
			if a.In == request.InQuery {
				s.query = append(s.query, "access_token")
				continue
			}
			s.auth += "bearer "
		case request.MutualTLS:
		case request.Hawk, request.OAuth1:
			if v.signed {
				s.auth += "signed "
			}
		case request.OtherScheme:
			s.auth += strings.ToLower(a.Key) + " "
		default:
			s.auth += [...]string{request.Basic: "basic", request.Digest: "digest", request.AWSSignature4: "aws", request.NTLM: "ntlm"}[a.Kind] + " "
		}
	}
}

// content records the shape of a body: its media type and the names in it.
func (s *sent) content(b *request.Body, used func(*request.Parameter) bool) {
	mediaType, _, _ := strings.Cut(b.MediaType, ";")
	s.mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	var names []string
	if form, ok := request.ReadMultipart(b.Text, b.MediaType); ok && b.Kind == request.Raw {
		for _, f := range form.Fields {
			names = append(names, f.Name)
		}
		slices.Sort(names)
	}
	switch b.Kind {
	case request.URLEncoded, request.Multipart:
		for _, f := range b.Fields {
			if used(&f.Parameter) {
				names = append(names, f.Name)
			}
		}
		if s.mediaType == "" {
			s.mediaType = map[request.BodyKind]string{
				request.URLEncoded: "application/x-www-form-urlencoded", request.Multipart: "multipart/form-data",
			}[b.Kind]
		}
		slices.Sort(names)
		names = slices.Compact(names)
	case request.GraphQL:
		s.mediaType = "application/json"
		names = []string{"graphql"}
	case request.File:
		if s.mediaType == "" {
			s.mediaType = "application/octet-stream"
		}
	case request.Raw:
		if strings.Contains(b.Text, `"query"`) {
			names = []string{"graphql"}
		}
	}
	s.body = strings.Join(names, ",")
}
