package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// withEntries returns a request with the headers, query parameters and cookies that Postman's authentication
// cannot express.
func (w *writer) withEntries(r *request.Request) *request.Request {
	needed := w.api.Effective(r).First()
	w.budget.Parts(2 * len(needed))
	_, others, _ := apart(needed)
	if len(others) == 0 {
		return r
	}
	sent := *r
	sent.Headers, sent.Query = slices.Clip(r.Headers), slices.Clip(r.Query)
	var cookies []*request.Parameter
	for _, a := range others {
		if !w.copies.Spend(4) {
			w.warnings.Add(warning.LostComplexity, r.Place)
			break
		}
		p := &request.Parameter{Name: a.Key, Value: a.Token, Description: a.Description}
		if p.Value == "" {
			p.Value = w.placeholder("apiKey")
		}
		switch {
		case a.Kind != request.APIKey:
			p.Name, p.Value = "Authorization", strings.TrimSpace(a.Key+" "+a.Token)
			sent.Headers = append(sent.Headers, p)
		case a.In == request.InQuery:
			p.Name, p.Value = collection.Encode(p.Name, collection.InQueryName), collection.Encode(p.Value, collection.InQuery)
			sent.Query = append(sent.Query, p)
		case a.In == request.InCookie:
			cookies = append(cookies, p)
		default:
			sent.Headers = append(sent.Headers, p)
		}
	}
	sent.Cookies = append(cookies, r.Cookies...)
	return &sent
}

// inheritSecurity chooses the authentication of the collection: the API's, or one that all requests share.
func (w *writer) inheritSecurity() {
	if w.api.Security != nil {
		w.auth = w.credentials(w.api.Security, nil)
		return
	}
	for i, r := range w.api.Requests {
		if len(r.Security.First()) == 0 {
			w.auth = nil
			return
		}
		auth := w.credentials(r.Security, r.Place)
		if auth.Get("type").Text() == "noauth" || i > 0 && !auth.Equal(w.auth) {
			w.auth = nil
			return
		}
		w.auth = auth
	}
}

func noAuth() *tree.Value { return tree.NewObject().Set("type", tree.NewString("noauth")) }

// credentials returns a security as Postman's authentication, or nil if the security is unspecified. A request
// has one authentication; withEntries adds other required credentials.
func (w *writer) credentials(s *request.Security, at warning.Place) *tree.Value {
	if s == nil {
		return nil
	}
	at = cmp.Or(at, s.Place)
	s.WarnAlternatives(w.warnings, at)
	w.budget.Parts(len(s.First()))
	main, _, lost := apart(s.First())
	for _, a := range lost {
		if a.Kind == request.MutualTLS {
			w.warnings.Add(warning.LostMutualTLS, at)
		} else {
			w.warnings.AddNamed(warning.LostSecurityCombination, at, a.Scheme())
		}
	}
	if main == nil {
		return noAuth()
	}
	return w.authValue(main, at)
}

// apart splits credentials that are required together into the one that Postman's authentication holds, those
// that entries of the request express, and the rest. Only one credential can write the Authorization header.
func apart(needed []*request.Auth) (main *request.Auth, others, lost []*request.Auth) {
	authorized := false
	for _, a := range needed {
		authorizes := a.Sends(request.InHeader, "Authorization")
		switch {
		case a.Kind == request.MutualTLS, authorizes && authorized:
			lost = append(lost, a)
		case a.Kind == request.OtherScheme, a.Kind == request.APIKey && (main != nil || a.In == request.InCookie):
			others = append(others, a)
		case main != nil && main.Kind != request.APIKey:
			lost = append(lost, a)
		default:
			if main != nil {
				others = append(others, main)
			}
			main = a
		}
		authorized = authorized || authorizes
	}
	return main, others, lost
}

// authValue returns a credential of a kind that Postman supports. Many requests may share a credential: its
// attributes are written once and copied.
func (w *writer) authValue(a *request.Auth, at warning.Place) *tree.Value {
	if a.Kind == request.OpenIDConnect || len(a.Flows) > 1 {
		a.WarnDetails(w.warnings, at)
	}
	if w.written[a] == nil {
		w.written[a] = w.newAuth(a)
	}
	if copied := w.written[a].Clone(w.copies); copied != nil {
		return copied
	}
	w.warnings.Add(warning.LostComplexity, at)
	return noAuth()
}

func (w *writer) newAuth(a *request.Auth) *tree.Value {
	if a.Kind == request.OpenIDConnect {
		a = &request.Auth{Kind: request.OAuth2, In: request.InHeader, Token: a.Token, Scopes: a.Scopes}
	}
	kind := collection.AuthKindOf(func(k collection.AuthKind) bool { return k.Kind == a.Kind })
	attributes := tree.NewArray()
	add := func(name, value string) {
		attributes.Append(tree.NewObject().
			Set("key", tree.NewString(name)).Set("value", tree.NewString(value)).Set("type", tree.NewString("string")))
	}
	written := *a
	written.Flows = slices.Clone(a.Flows)
	for i := range written.Flows {
		f := &written.Flows[i]
		f.AuthorizeURL, f.TokenURL, f.RefreshURL = w.absolute(f.AuthorizeURL), w.absolute(f.TokenURL), w.absolute(f.RefreshURL)
	}
	w.fillIn(&written, kind.Unknown)
	for _, one := range kind.Attributes {
		if value := one.Field(&written); value != nil && (*value != "" || len(kind.Attributes) <= 2) {
			add(one.Name, *value)
		}
	}
	switch a.Kind {
	case request.APIKey:
		add("in", string(written.In))
	case request.OAuth2:
		for _, one := range oauth2Settings(a) {
			add(one.Name, one.Value)
		}
	}
	for _, one := range a.Settings {
		if !one.Bare {
			add(one.Name, one.Value)
		}
	}
	return tree.NewObject().Set("type", tree.NewString(kind.Name)).Set(kind.Name, attributes)
}

// oauth2Settings returns the attributes of OAuth 2.0 that attribute does not.
func oauth2Settings(a *request.Auth) []request.Option {
	var grant string
	addTo := "header"
	if a.In == request.InQuery {
		addTo = "queryParams"
	}
	if len(a.Flows) > 0 {
		for name, of := range collection.Grants {
			if of == a.Flows[0].Grant {
				grant = name
			}
		}
	}
	options := []request.Option{
		{Name: "addTokenTo", Value: addTo}, {Name: "grant_type", Value: grant}, {Name: "scope", Value: strings.Join(a.Scopes, " ")},
	}
	return slices.DeleteFunc(options, func(o request.Option) bool { return o.Value == "" })
}

// fillIn sets an unknown credential to variables that the user has to set.
func (w *writer) fillIn(a *request.Auth, unknown [2]string) {
	switch {
	case unknown[0] != "":
		if a.Username == "" && a.Password == "" {
			a.Username, a.Password = w.placeholder(unknown[0]), w.placeholder(unknown[1])
		}
	case a.Token != "":
	case a.Kind == request.Bearer:
		a.Token = w.placeholder("bearerToken")
	case a.Kind == request.APIKey:
		a.Token = w.placeholder("apiKey")
	case a.Kind == request.OAuth2 && len(a.Flows) == 0 && a.Username == "":
		a.Token = w.placeholder("accessToken")
	}
}
