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
	// A Server Card (SEP-2127, schema v1) has the server's location and protocols. It does not list the tools; tools/list does.
	card, err := json.Marshal(map[string]any{
		"$schema":     "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
		"name":        Name,
		"title":       contract.Title,
		"description": Description,
		"version":     s.config.Version,
		"websiteUrl":  s.config.BaseURL,
		"remotes":     []any{map[string]any{"type": "streamable-http", "url": s.config.BaseURL + "/mcp", "supportedProtocolVersions": Revisions}},
	})
	if err != nil {
		return nil, err
	}
	// An AI Catalog links a domain to the card.
	index, err := json.Marshal(map[string]any{"specVersion": "1.0", "entries": []any{map[string]any{
		"identifier":  "urn:air:" + base.Hostname() + ":mcp:convertd",
		"displayName": contract.Title,
		"type":        cardType,
		"url":         s.config.BaseURL + "/mcp/server-card",
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
