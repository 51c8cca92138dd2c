package openapi

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// keyHeaders are headers, in small letters, that prove who sends a request, and
// the names of their schemes. The sources are their owners' descriptions of how
// to authenticate.
var keyHeaders = map[string]string{
	// Of no one API: AWS API Gateway, Supabase, Kong, OpenAPI's own examples.
	"x-api-key": "apiKeyAuth", "api-key": "apiKeyAuth", "apikey": "apiKeyAuth", "api_key": "apiKeyAuth",
	"x-apikey": "apiKeyAuth", "x-api-token": "apiToken", "api-token": "apiToken",
	"x-auth-token":   "authToken", // OpenStack Keystone
	"x-access-token": "accessToken", "access-token": "accessToken", "x-session-token": "sessionToken",
	"x-auth-key": "authKey", // Cloudflare
	// Of one.
	"private-token": "privateToken", "job-token": "jobToken", "deploy-token": "deployToken", // GitLab
	"dd-api-key": "ddApiKey", "dd-application-key": "ddApplicationKey", // Datadog
	"x-shopify-access-token": "shopifyAccessToken", "x-shopify-storefront-access-token": "shopifyStorefrontAccessToken",
	"ocp-apim-subscription-key": "subscriptionKey", // Azure API Management
	"x-functions-key":           "functionsKey",    // Azure Functions
	"x-goog-api-key":            "googleApiKey",
	"x-rapidapi-key":            "rapidApiKey",
	"x-vault-token":             "vaultToken",  // HashiCorp
	"x-consul-token":            "consulToken", // HashiCorp
	"circle-token":              "circleToken", // CircleCI
	"x-figma-token":             "figmaToken",
	"x-mbx-apikey":              "binanceApiKey",
	"x-cmc_pro_api_key":         "coinMarketCapApiKey",
	"xi-api-key":                "elevenLabsApiKey",
	"x-algolia-api-key":         "algoliaApiKey", "x-algolia-application-id": "algoliaApplicationId",
	"x-parse-rest-api-key": "parseRestApiKey", "x-parse-application-id": "parseApplicationId",
	"x-postmark-server-token": "postmarkServerToken", "x-postmark-account-token": "postmarkAccountToken",
	"x-honeycomb-team":  "honeycombApiKey",
	"x-redmine-api-key": "redmineApiKey", "x-n8n-api-key": "n8nApiKey", "x-typesense-api-key": "typesenseApiKey",
	"x-plex-token": "plexToken", "x-emby-token": "embyToken", "x-riot-token": "riotToken",
	"x-tableau-auth": "tableauAuth", "fastly-key": "fastlyKey", "x-jfrog-art-api": "artifactoryApiKey",
	"x-nuget-apikey": "nugetApiKey", "x-octopus-apikey": "octopusApiKey",
}

// keyQueries are the same of parameters of the query. access_token is RFC 6750,
// section 2.3.
var keyQueries = map[string]string{
	"api_key": "apiKeyAuth", "apikey": "apiKeyAuth", "api-key": "apiKeyAuth", "x-api-key": "apiKeyAuth",
	"access_token": "accessToken", "api_token": "apiToken", "auth_token": "authToken",
	"private_token":    "privateToken",    // GitLab
	"subscription-key": "subscriptionKey", // Azure API Management
	"hapikey":          "hubSpotApiKey",
}

// hostQueries are parameters that are a key at the hosts of one owner alone:
// elsewhere they are anything.
var hostQueries = map[[2]string]string{
	{"googleapis.com", "key"}: "googleApiKey", {"trello.com", "key"}: "trelloKey", {"trello.com", "token"}: "trelloToken",
	{"openweathermap.org", "appid"}: "openWeatherApiKey", {"azurewebsites.net", "code"}: "functionsKey",
	{"weatherapi.com", "key"}: "weatherApiKey", {"virtualearth.net", "key"}: "bingMapsKey", {"mapbox.com", "access_token"}: "mapboxToken",
	{"apilayer.com", "access_key"}: "apilayerKey", {"etherscan.io", "apikey"}: "etherscanApiKey",
}

// sessionCookies are the names by which frameworks keep a session: Express,
// Django, Java servlets, PHP, ASP, Rails and Laravel.
var sessionCookies = map[string]string{
	"session": "sessionCookie", "sessionid": "sessionCookie", "session_id": "sessionCookie", "sid": "sessionCookie",
	"connect.sid": "sessionCookie", "jsessionid": "sessionCookie", "phpsessid": "sessionCookie",
	"asp.net_sessionid": "sessionCookie", "_session_id": "sessionCookie", "laravel_session": "sessionCookie",
	".aspnetcore.session": "sessionCookie", ".aspnetcore.cookies": "sessionCookie", "next-auth.session-token": "sessionCookie",
	"__secure-next-auth.session-token": "sessionCookie", "auth_token": "authCookie", "access_token": "authCookie",
}

// keyName is the name of the scheme of an API key, "" for what is none.
func keyName(in request.Location, name, owner string) string {
	name = strings.ToLower(name)
	switch in {
	case request.InHeader:
		return keyHeaders[name]
	case request.InCookie:
		return sessionCookies[name]
	case request.InQuery:
		if known := keyQueries[name]; known != "" {
			return known
		}
		return hostQueries[[2]string{owner, name}]
	}
	return ""
}

// key is a credential among the parameters of a request, nil for a parameter
// that is none, or that the source does not send.
func (w *writer) key(c *call, in request.Location, p *request.Parameter) *request.Auth {
	if !p.Sent() {
		return nil
	}
	name, owner := w.variables.expand(p.Name).text, ""
	if in == request.InQuery {
		if decoded, err := url.QueryUnescape(name); err == nil {
			name = decoded
		}
		owner = w.owner(c.Server)
	}
	scheme := keyName(in, name, owner)
	if scheme == "" {
		return nil
	}
	id := string(in) + " " + scheme + " " + name
	if w.keys[id] == nil {
		w.keys[id] = &request.Auth{Kind: request.APIKey, Key: name, In: in}
		w.keyNames[w.keys[id]] = scheme
	}
	return w.keys[id]
}

// withKeys adds to what a request needs the keys among its parameters.
func (w *writer) withKeys(s *request.Security, c *call) *request.Security {
	var keys []*request.Auth
	seen := map[*request.Auth]bool{}
	gather := func(in request.Location, list []*request.Parameter) {
		for _, p := range list {
			if a := w.key(c, in, p); a != nil && !seen[a] {
				seen[a] = true
				keys = append(keys, a)
			}
		}
	}
	gather(request.InHeader, c.Headers)
	gather(request.InQuery, c.Query)
	gather(request.InCookie, w.cookies(c))
	if len(keys) == 0 {
		return s
	}
	if len(s.First()) == 0 {
		return &request.Security{Alternatives: [][]*request.Auth{keys}}
	}
	out := &request.Security{}
	for _, alternative := range s.Alternatives {
		all := alternative[:len(alternative):len(alternative)]
		for _, key := range keys {
			if !sends(alternative, key) {
				all = append(all, key)
			}
		}
		w.budget.Parts(smallParts * len(all))
		out.Alternatives = append(out.Alternatives, all)
	}
	return out
}

// sends reports whether one of the credentials is sent as the key is.
func sends(alternative []*request.Auth, key *request.Auth) bool {
	for _, a := range alternative {
		in := a.In
		if in == "" {
			in = request.InHeader
		}
		if a.Kind == request.APIKey && in == key.In && strings.EqualFold(a.Key, key.Key) {
			return true
		}
	}
	return false
}
