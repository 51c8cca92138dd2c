package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// body adds the options for the request body and reports whether there is one.
func (c *command) body() bool {
	if len(c.r.Bodies) == 0 {
		return false
	}
	b := c.r.Bodies[0]
	switch b.Kind {
	case request.URLEncoded:
		return c.form(b)
	case request.Multipart:
		return c.multipart(b)
	case request.File:
		c.file(b)
	case request.GraphQL:
		c.contentType(b.MediaType, request.JSONType)
		c.option("data-raw", graphQL(b))
	default:
		c.contentType(b.MediaType, "")
		c.option("data-raw", b.Text)
	}
	return true
}

// contentType adds the Content-Type header, unless curl sends the same by default with the data that follows.
func (c *command) contentType(mediaType, ownType string) {
	mediaType = cmp.Or(mediaType, ownType)
	switch {
	case mediaType == request.FormType:
	case mediaType == "":
		c.option("header", "Content-Type:") // otherwise curl would declare a form
	default:
		c.header("Content-Type", mediaType)
	}
}

// form adds the fields of a form, whose values curl encodes.
func (c *command) form(b *request.Body) bool {
	c.contentType(b.MediaType, request.FormType)
	any := false
	for _, f := range b.Fields {
		if c.sends(&f.Parameter) {
			c.option("data-urlencode", escapeName(c.w.vars.expand(nil, f.Name))+"="+f.Value)
			any = true
		}
	}
	if !any {
		c.option("data-raw", "")
	}
	return true
}

// escapeName encodes a field's name, which curl doesn't encode.
func escapeName(name string) string {
	return syntax.Escape(name, func(c byte) bool {
		return !(words.IsAlnum(c) || strings.IndexByte("-._~[]*", c) >= 0)
	})
}

func (c *command) multipart(b *request.Body) bool {
	if b.MediaType != "" && !strings.HasPrefix(strings.ToLower(b.MediaType), request.MultipartType) {
		c.contentType(b.MediaType, "")
	}
	any := false
	unknown := 0
	for _, f := range b.Fields {
		if f.Sent() && f.IsFile && len(f.Files) == 0 {
			unknown++
		}
	}
	for _, f := range b.Fields {
		if strings.Contains(f.Name, "=") { // --form would end the name there
			c.w.warnings.Add(warning.LostMalformed, c.r.Place)
		} else if c.sends(&f.Parameter) {
			if f.IsFile && len(f.Files) == 0 {
				known := *f
				known.Files = []string{"{{file}}"}
				if unknown > 1 && request.VariableName(f.Name) && formWord(f.Name) == f.Name {
					known.Files[0] = "{{" + f.Name + "}}"
				}
				f = &known
			}
			c.part(f)
			any = true
		}
	}
	return any
}

// part adds one part of a multipart body.
func (c *command) part(f *request.Field) {
	name, details := f.Name, ""
	if f.ContentType != "" {
		details += ";type=" + f.ContentType
	}
	if f.FileName != "" {
		details += ";filename=" + formWord(f.FileName)
	}
	switch {
	case f.IsFile:
		for _, path := range f.Files {
			c.option("form", name+"=@"+formWord(path)+details)
		}
	case f.ValueFile != "":
		c.option("form", name+"=<"+formWord(f.ValueFile)+details)
	case details != "":
		c.option("form", name+"="+quotedFormWord(f.Value)+details)
	case isPlainFormValue(c.w.vars.expand(nil, f.Value)):
		c.option("form", name+"="+f.Value)
	default:
		c.option("form-string", name+"="+f.Value)
	}
}

// isPlainFormValue reports whether --form takes value literally: it isn't a file, several parts or quoted, has no
// details after it and no blanks to trim. The content of a variable is unknown, so such a value is not plain.
func isPlainFormValue(value string) bool {
	return !strings.Contains(value, ";") && strings.TrimSpace(value) == value && !request.HasVariable(value) &&
		(value == "" || strings.IndexByte(`@<("`, value[0]) < 0)
}

// formWord returns a file name for --form, quoted if necessary.
func formWord(text string) string {
	if strings.ContainsAny(text, ",;\"\\ ") {
		return quotedFormWord(text)
	}
	return text
}

var escapeQuotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func quotedFormWord(text string) string {
	return `"` + escapeQuotes.Replace(text) + `"`
}

// file adds a body that is the content of a file.
func (c *command) file(b *request.Body) {
	path := cmp.Or(b.Path, "{{file}}")
	written := b.ReadBy == syntax.UploadFile
	if written || b.MediaType == "" && c.r.Method == "PUT" && !strings.HasSuffix(c.r.Path, "/") && c.r.Path != "" {
		if b.MediaType != "" {
			c.contentType(b.MediaType, "")
		}
		c.option(syntax.UploadFile, path)
		c.implied = "PUT"
		return
	}
	c.contentType(b.MediaType, request.BinaryType)
	c.option(cmp.Or(b.ReadBy, "data-binary"), "@"+path)
}

// graphQL returns the JSON that is sent for a GraphQL body.
func graphQL(b *request.Body) string {
	text := append([]byte(`{"query":`), jsondoc.AppendString(nil, b.Query)...)
	if strings.TrimSpace(b.GraphQLVariables) != "" {
		text = append(append(text, `,"variables":`...), b.GraphQLVariables...)
	}
	if b.OperationName != "" {
		text = append(append(text, `,"operationName":`...), jsondoc.AppendString(nil, b.OperationName)...)
	}
	return string(append(text, '}'))
}

// security adds the request's authentication.
func (c *command) security(s *request.Security) {
	if s == nil {
		return
	}
	s.WarnAlternatives(c.w.warnings, c.r.Place)
	c.sent = map[string]bool{}
	for _, h := range c.r.Headers {
		if strings.EqualFold(h.Name, "Authorization") && !h.Disabled {
			c.sent["authorization"] = true // its value is sent
		}
	}
	withHeader := c.sent["authorization"]
	for _, a := range s.First() {
		c.auth(a)
	}
	if withHeader {
		delete(c.sent, "authorization") // the request's own header is written
	}
}

func (c *command) auth(a *request.Auth) {
	c.w.budget.Parts(budget.Entry + len(a.Settings)/4)
	if a.Sends(request.InHeader, "Authorization") {
		if c.sent["authorization"] {
			c.w.warnings.AddNamed(warning.LostSecurityCombination, c.r.Place, a.Scheme())
			return
		}
		c.sent["authorization"] = true
	}
	switch a.Kind {
	case request.Basic:
		c.user(a, "")
	case request.Digest:
		c.user(a, "digest")
		c.details(a)
	case request.NTLM:
		c.user(a, "ntlm")
		c.details(a)
	case request.AWSSignature4:
		c.amazon(a)
		c.details(a)
	case request.Bearer:
		c.header("Authorization", "Bearer "+cmp.Or(a.Token, "{{token}}"))
	case request.OAuth2, request.OpenIDConnect:
		c.oauth2(a)
	case request.APIKey:
		c.key(a)
	case request.OtherScheme:
		if a.Key == syntax.Negotiate && a.Token == "" {
			c.bare("negotiate")
			c.option("user", ":")
			return
		}
		c.header("Authorization", strings.TrimSpace(a.Key+" "+cmp.Or(a.Token, "{{token}}")))
	case request.MutualTLS:
		if !slices.ContainsFunc(c.r.Transport, func(o request.Option) bool { return o.Name == "cert" }) {
			c.option("cert", "{{clientCertificate}}")
		}
	default:
		name := "OAuth 1.0"
		if a.Kind == request.Hawk {
			name = "Hawk"
		}
		c.w.out = syntax.Comment(c.w.out, name+syntax.Unsigned)
		c.w.warnings.Add(warning.LostAuthentication, cmp.Or(a.Place, c.r.Place))
	}
}

// user adds --user and the option that selects the scheme.
func (c *command) user(a *request.Auth, scheme string) {
	name, password := a.Username, a.Password
	if name == "" && password == "" {
		name, password = "{{username}}", "{{password}}"
	}
	if scheme == "" && strings.Contains(name, ":") && !request.HasVariable(name+password) { // --user would split the name
		c.header("Authorization", request.EncodeBasic(name, password))
		return
	}
	if domain := setting(a, "domain"); domain != "" {
		name = domain + `\` + name
	}
	if scheme != "" {
		c.bare(scheme)
	}
	c.option("user", name+":"+password)
}

func setting(a *request.Auth, name string) string {
	for _, s := range a.Settings {
		if s.Name == name {
			return s.Value
		}
	}
	return ""
}

// expressed are the settings that options of curl express, or that curl chooses from what the server supports.
var expressed = words.Set("algorithm domain provider region service")

// details warns about settings that curl determines by itself.
func (c *command) details(a *request.Auth) {
	for _, s := range a.Settings {
		if s.Value != "" && s.Value != "false" && !expressed[s.Name] {
			a.WarnDetails(c.w.warnings, c.r.Place)
			return
		}
	}
}

func (c *command) amazon(a *request.Auth) {
	provider := setting(a, "provider")
	if provider == "" {
		// Without both, curl takes them from the first two labels of the host, which few hosts of AWS have there.
		provider = "aws:amz:" + cmp.Or(setting(a, "region"), "{{awsRegion}}") + ":" + cmp.Or(setting(a, "service"), "{{awsService}}")
	}
	c.option("aws-sigv4", provider)
	c.option("user", cmp.Or(a.Username, "{{awsAccessKey}}")+":"+cmp.Or(a.Password, "{{awsSecretKey}}"))
	if a.Token != "" {
		c.header("X-Amz-Security-Token", a.Token)
	}
}

func (c *command) oauth2(a *request.Auth) {
	if len(a.Flows) > 0 || len(a.Scopes) > 0 || a.URL != "" {
		place := c.r.Place
		if c.r.Security == nil {
			place = nil // reported once for all requests
		}
		a.WarnDetails(c.w.warnings, place)
	}
	token := cmp.Or(a.Token, "{{accessToken}}")
	if a.In == request.InQuery {
		c.query = append(c.query, "access_token="+escapeName(token))
		return
	}
	prefix := cmp.Or(strings.TrimSpace(setting(a, "headerPrefix")), "Bearer")
	c.header("Authorization", prefix+" "+token)
}

var namesKey = expression.Lazy(`(?i)key|token|auth|secret|pass`)

// key adds an API key where it is sent, unless the request already sends it.
func (c *command) key(a *request.Auth) {
	value := cmp.Or(a.Token, "{{apiKey}}")
	if a.Key == "" {
		return
	}
	if parts := request.Split(c.w.vars.expand(nil, value)); len(parts) == 1 && !namesKey().MatchString(value) {
		c.w.vars.keys[parts[0].Text] = true
	}
	sends := func(list []*request.Parameter) bool {
		c.w.budget.Parts(len(list) / 8)
		return slices.ContainsFunc(list, func(p *request.Parameter) bool {
			return strings.EqualFold(p.Name, a.Key) && !p.Disabled
		})
	}
	switch lower := strings.ToLower(a.Key); {
	case a.In == request.InQuery && !sends(c.r.Query):
		c.query = append(c.query, escapeName(a.Key)+"="+escapeName(value))
	case a.In == request.InCookie && !sends(c.r.Cookies):
		c.cookies = append(c.cookies, a.Key+"="+value)
	case a.In == request.InHeader && (lower == "authorization" || !sends(c.r.Headers) && !c.sent[lower]):
		c.sent[lower] = true
		c.header(a.Key, value)
	}
}
