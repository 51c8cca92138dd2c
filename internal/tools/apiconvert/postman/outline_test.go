package postman_test

import (
	"fmt"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// outline writes a model as lines, so that cases can be read and compared.
func outline(api *request.API) string {
	var b strings.Builder
	fmt.Fprintf(&b, "api %q", api.Title)
	if api.Version != "" {
		fmt.Fprintf(&b, " version=%s", api.Version)
	}
	if api.Description != "" {
		fmt.Fprintf(&b, " about %q", api.Description)
	}
	b.WriteString(security(api.Security) + "\n")
	for _, v := range api.Variables {
		fmt.Fprintf(&b, "variable %s=%q%s\n", v.Name, v.Value, flags(v.Secret, "secret", v.Disabled, "disabled", v.Description != "", v.Description))
	}
	for _, f := range api.Folders {
		fmt.Fprintf(&b, "folder %s%s%s\n", folderPath(f), security(f.Security), flags(f.Description != "", f.Description))
	}
	used := map[*request.Server]bool{}
	for _, r := range api.Requests {
		writeRequest(&b, r, "")
		used[r.Server] = true
	}
	for _, server := range api.Servers {
		if !used[server] {
			fmt.Fprintf(&b, "further server %s\n", server.URL)
		}
	}
	return b.String()
}

func folderPath(f *request.Folder) string {
	if f == nil {
		return ""
	}
	return folderPath(f.Parent) + "/" + f.Name
}

func writeRequest(b *strings.Builder, r *request.Request, indent string) {
	server := "-"
	if r.Server != nil {
		server = r.Server.URL
	}
	fmt.Fprintf(b, "%s%s %s %s %q", indent, r.Method, server, r.Path, r.Name)
	if r.Folder != nil {
		b.WriteString(" in " + folderPath(r.Folder))
	}
	if r.Fragment != "" {
		b.WriteString(" #" + r.Fragment)
	}
	if r.Description != "" {
		fmt.Fprintf(b, " about %q", r.Description)
	}
	b.WriteString(security(r.Security) + "\n")
	parameters(b, indent+"  path", r.PathParameters)
	parameters(b, indent+"  query", r.Query)
	parameters(b, indent+"  header", r.Headers)
	parameters(b, indent+"  cookie", r.Cookies)
	for _, o := range r.Transport {
		fmt.Fprintf(b, "%s  transport %s %s\n", indent, o.Name, o.Value)
	}
	for _, body := range r.Bodies {
		writeBody(b, body, indent+"  ")
	}
	for _, response := range r.Responses {
		fmt.Fprintf(b, "%s  response %s %q %q\n", indent, response.Status, response.Reason, response.Name)
		parameters(b, indent+"    header", response.Headers)
		for _, body := range response.Bodies {
			writeBody(b, body, indent+"    ")
		}
		if response.Original != nil {
			writeRequest(b, response.Original, indent+"    ")
		}
	}
}

func parameters(b *strings.Builder, what string, list []*request.Parameter) {
	for _, p := range list {
		fmt.Fprintf(b, "%s %s=%q%s\n", what, p.Name, p.Value, flags(p.Bare, "bare", p.Disabled, "disabled", p.Description != "", p.Description))
	}
}

func flags(pairs ...any) string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i].(bool) {
			out = append(out, pairs[i+1].(string))
		}
	}
	if out == nil {
		return ""
	}
	return " (" + strings.Join(out, ", ") + ")"
}

func writeBody(b *strings.Builder, body *request.Body, indent string) {
	kind := [...]string{"raw", "urlencoded", "multipart", "file", "graphql"}[body.Kind]
	fmt.Fprintf(b, "%sbody %s %s%s", indent, kind, body.MediaType, flags(body.TypeGuessed, "guessed"))
	for _, text := range []string{body.Text, body.Path, body.Query, body.GraphQLVariables, body.OperationName} {
		if text != "" {
			fmt.Fprintf(b, " %q", text)
		}
	}
	b.WriteString("\n")
	for _, f := range body.Fields {
		fmt.Fprintf(b, "%s  field %s=%q%s\n", indent, f.Name, f.Value, flags(
			f.IsFile, "file "+strings.Join(f.Files, " "), f.FileName != "", f.FileName, f.ContentType != "", f.ContentType,
			f.Disabled, "disabled", f.Description != "", f.Description))
	}
	for _, e := range body.Examples {
		fmt.Fprintf(b, "%s  example %s %q\n", indent, e.Name, e.Text)
	}
}

func security(s *request.Security) string {
	if s == nil {
		return ""
	}
	if len(s.Alternatives) == 0 {
		return " auth=none"
	}
	var out []string
	for _, a := range s.First() {
		text := fmt.Sprint(authKindNames[a.Kind])
		for _, value := range []string{a.Username, a.Password, a.Key, a.Token, string(a.In), strings.Join(a.Scopes, "+")} {
			if value != "" {
				text += " " + value
			}
		}
		for _, f := range a.Flows {
			text += fmt.Sprintf(" {%s %s %s %s %s %s pkce=%t}", f.Grant, f.AuthorizeURL, f.TokenURL, f.RefreshURL, f.ClientID, f.ClientSecret, f.PKCE)
		}
		for _, o := range a.Settings {
			text += " " + o.Name + "=" + o.Value
		}
		out = append(out, text)
	}
	return " auth=" + strings.Join(out, " & ")
}

var authKindNames = [...]string{
	"basic", "bearer", "apikey", "oauth2", "openid", "digest", "aws", "hawk", "ntlm", "oauth1", "mtls", "other",
}
