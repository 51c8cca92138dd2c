package mcp

import (
	"encoding/json"
	"net/url"

	"github.com/convertd/convertd/internal/contract"
)

// Name is the server's name in registries, in reverse-DNS form.
const Name = "io.github.convertd/convertd"

// Description says what the server does, in at most 100 characters, the limit of registries.
const Description = "Small, deterministic text conversions, one at a time or as a pipeline."

// serverCard is an MCP Server Card (SEP-2127, schema v1): the server's location
// and protocols. It does not list the tools; tools/list does.
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
	Type      string   `json:"type"`
	URL       string   `json:"url"`
	Revisions []string `json:"supportedProtocolVersions"`
}

// catalog is an AI Catalog, which links a domain to the card.
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

// Document is a JSON document that does not change while the program runs.
type Document struct {
	MediaType string
	Body      []byte
}

// Discovery returns the documents that clients read before they connect, by path: the Server Card at the path that its
// specification reserves and at that of earlier drafts, and the catalog that links to it.
func (s *Server) Discovery() (map[string]Document, error) {
	base, err := url.Parse(s.config.BaseURL)
	if err != nil {
		return nil, err
	}
	title := contract.Title
	card, err := json.Marshal(serverCard{
		Schema:      "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		Name:        Name,
		Title:       title,
		Description: Description,
		Version:     s.config.Version,
		WebsiteURL:  s.config.BaseURL,
		Remotes:     []remote{{Type: "streamable-http", URL: s.config.BaseURL + "/mcp", Revisions: Revisions}},
	})
	if err != nil {
		return nil, err
	}
	index, err := json.Marshal(catalog{SpecVersion: "1.0", Entries: []entry{{
		Identifier:  "urn:air:" + base.Hostname() + ":mcp:convertd",
		DisplayName: title,
		Type:        cardType,
		URL:         s.config.BaseURL + "/mcp/server-card",
	}}})
	if err != nil {
		return nil, err
	}
	return map[string]Document{
		"/mcp/server-card":                  {cardType, card},
		"/.well-known/mcp/server-card.json": {cardType, card},
		"/.well-known/ai-catalog.json":      {"application/ai-catalog+json", index},
	}, nil
}
