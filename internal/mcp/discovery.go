package mcp

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Name is the server's name in registries, in reverse-DNS form.
const Name = "io.github.convertd/convertd"

// Description says in at most 100 characters, which is what registries take,
// what the server does.
const Description = "Small deterministic text conversions: exact, stateless, bounded, one at a time or as a pipeline."

// serverCard is an MCP Server Card (SEP-2127, schema v1): where the server is
// and what it speaks. Tools are not listed; tools/list says them.
type serverCard struct {
	Schema      string   `json:"$schema"`
	Name        string   `json:"name"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Version     string   `json:"version"`
	WebsiteURL  string   `json:"websiteUrl"`
	Remotes     []remote `json:"remotes"`
}

type remote struct {
	Type     string   `json:"type"`
	URL      string   `json:"url"`
	Versions []string `json:"supportedProtocolVersions"`
}

// catalog is an AI Catalog, which leads from a domain to the card.
type catalog struct {
	SpecVersion string  `json:"specVersion"`
	Entries     []entry `json:"entries"`
}

type entry struct {
	Identifier  string `json:"identifier"`
	DisplayName string `json:"displayName"`
	Type        string `json:"type"`
	URL         string `json:"url"`
}

const cardType = "application/mcp-server-card+json"

// Discovery returns what clients read before they connect, by path: the Server
// Card at the place that its specification reserves and where earlier drafts
// had it, and the catalog that names it.
func (s *Server) Discovery() (map[string]http.Handler, error) {
	base, err := url.Parse(s.config.BaseURL)
	if err != nil {
		return nil, err
	}
	title := s.contract.Document().Info.Title
	card, err := publish(cardType, serverCard{
		Schema:      "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		Name:        Name,
		Title:       title,
		Description: Description,
		Version:     s.config.Version,
		WebsiteURL:  s.config.BaseURL,
		Remotes:     []remote{{Type: "streamable-http", URL: s.config.BaseURL + "/mcp", Versions: Versions}},
	})
	if err != nil {
		return nil, err
	}
	index, err := publish("application/ai-catalog+json", catalog{SpecVersion: "1.0", Entries: []entry{{
		Identifier:  "urn:air:" + base.Hostname() + ":mcp:convertd",
		DisplayName: title,
		Type:        cardType,
		URL:         s.config.BaseURL + "/mcp/server-card",
	}}})
	if err != nil {
		return nil, err
	}
	return map[string]http.Handler{
		"/mcp/server-card":                  card,
		"/.well-known/mcp/server-card.json": card,
		"/.well-known/ai-catalog.json":      index,
	}, nil
}

// published is a JSON text that is the same for as long as the program runs.
// Every origin may read it, and keep it for an hour.
type published struct {
	mediaType string
	body      []byte
	etag      string // strong (RFC 9110, section 8.8.3)
}

func publish(mediaType string, value any) (published, error) {
	body, err := json.Marshal(value)
	sum := sha256.Sum256(body)
	return published{mediaType, body, `"` + hex.EncodeToString(sum[:16]) + `"`}, err
}

// ServeHTTP answers GET and HEAD, with 304 where the client has the text.
func (d published) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", d.mediaType)
	header.Set("ETag", d.etag)
	header.Set("Cache-Control", "public, max-age=3600")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Access-Control-Expose-Headers", "ETag")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(d.body))
}
