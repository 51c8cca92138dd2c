package postman_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/secret"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
)

// attributes are those that Postman exports for each type of authentication.
var attributes = map[string]string{
	"apikey":   "key value in",
	"asap":     "alg kid iss exp aud privateKey sub claims",
	"awsv4":    "accessKey secretKey region service sessionToken addAuthDataToQuery",
	"basic":    "username password showPassword",
	"bearer":   "token",
	"digest":   "username password realm nonce algorithm qop nonceCount clientNonce opaque disableRetryRequest",
	"edgegrid": "accessToken clientToken clientSecret nonce timestamp baseURL headersToSign maxBodySize",
	"hawk":     "authId authKey algorithm user nonce extraData app delegation timestamp includePayloadHash",
	"jwt":      "algorithm secret privateKey isSecretBase64Encoded payload addTokenTo headerPrefix queryParamKey header",
	"noauth":   "",
	"ntlm":     "username password domain workstation disableRetryRequest",
	"oauth1": "consumerKey consumerSecret token tokenSecret signatureMethod timestamp nonce version realm callback verifier " +
		"addParamsToHeader addEmptyParamsToSign includeBodyHash privateKey disableHeaderEncoding",
	"oauth2": "accessToken addTokenTo authUrl accessTokenUrl clientId clientSecret client_authentication grant_type scope username " +
		"password tokenType redirect_uri refreshToken headerPrefix state code_verifier tokenName challengeAlgorithm authRequestParams useBrowser",
}

// TestAuthenticationStays rewrites each type of authentication in each place of a collection: only secrets change.
func TestAuthenticationStays(t *testing.T) {
	for kind, names := range attributes {
		t.Run(kind, func(t *testing.T) {
			var list, redacted []string
			for i, name := range strings.Fields(names) {
				value := []string{fmt.Sprintf(`"v%d"`, i), "true", "7", `""`, `[{"key":"k","value":"x","enabled":true}]`, "null"}[i%6]
				if request.IsSecretSetting(name) {
					value = fmt.Sprintf(`"N3wP@ssw0rd%d"`, i)
				}
				list = append(list, fmt.Sprintf(`{"key":%q,"value":%s,"type":"any"}`, name, value))
				if request.IsSecretSetting(name) {
					value = `"REDACTED"`
				}
				redacted = append(redacted, fmt.Sprintf(`{"key":%q,"value":%s,"type":"any"}`, name, value))
			}
			auth := func(list []string) string {
				if kind == "noauth" {
					return `{"type":"noauth"}`
				}
				return fmt.Sprintf(`{"type":%q,%q:[%s]}`, kind, kind, strings.Join(list, ","))
			}
			doc := parse(t, collectionWith(auth(list)))
			check.OK(t, postman.Rewrite(doc, nil, nil))
			text := documenttest.Write(t, doc.Root)
			checkSchema(t, text)
			if diff := cmp.Diff(collectionWith(auth(list)), text); diff != "" {
				t.Errorf("rewritten (-want +got):\n%s", diff)
			}
			names := secret.NewRedactor(nil).Redact(func(emit func(site.Site)) { postman.Sites(doc.Root, emit) })
			got := documenttest.Write(t, doc.Root)
			for _, name := range names {
				got = strings.ReplaceAll(got, `"{{`+name+`}}"`, `"REDACTED"`)
			}
			if diff := cmp.Diff(collectionWith(auth(redacted)), got); diff != "" {
				t.Errorf("redacted (-want +got):\n%s", diff)
			}
		})
	}
}

// collectionWith returns a collection with an authentication for itself, a folder and a request.
func collectionWith(auth string) string {
	return `{"info":{"name":"A","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[{"name":"F","item":[` +
		`{"name":"R","request":{"method":"GET","url":{"raw":"https://x.test/a","protocol":"https","host":["x","test"],"path":["a"]},"auth":` +
		auth + `}}],"auth":` + auth + `}],"auth":` + auth + `}`
}
