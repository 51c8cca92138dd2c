package request

import "strings"

// Users is how many different user names, or names that stand for one (an
// access key's id), the credentials have beside a password that is a secret
// variable.
func (a *API) Users() int {
	secret, users := map[string]bool{}, map[string]bool{}
	for _, v := range a.Variables {
		secret["{{"+v.Name+"}}"] = v.Secret
	}
	add := func(s *Security) {
		for auth := range s.all() {
			if auth.Username != "" && secret[auth.Password] && !strings.Contains(auth.Username, "{{") {
				users[auth.Username] = true
			}
		}
	}
	add(a.Security)
	for _, f := range a.Folders {
		add(f.Security)
	}
	for _, r := range a.Requests {
		add(r.Security)
	}
	return len(users)
}
