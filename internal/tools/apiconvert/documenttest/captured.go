package documenttest

import (
	"encoding/json"
	"strings"
)

// Captured is a collection whose test scripts take values from responses, and the script that it is converted to.
type Captured struct {
	Name     string `yaml:"name"`
	Requests []struct {
		Request       string `yaml:"request"` // method and path
		Authorization string `yaml:"authorization"`
		Body          string `yaml:"body"`
		Test          string `yaml:"test"`
	} `yaml:"requests"`
	Variable []map[string]string `yaml:"variable"`
	Want     string              `yaml:"want"`
	Unset    bool                `yaml:"unset"`    // the script lacks values that the collection has
	Warnings []string            `yaml:"warnings"` // their codes
	OpenAPI  []string            `yaml:"openapi"`  // the warnings about captures for an OpenAPI document, without their sentence
}

// Collection returns the collection, whose requests go to a server.
func (c Captured) Collection(server string) string {
	var items []any
	for _, r := range c.Requests {
		method, path, _ := strings.Cut(r.Request, " ")
		sent := map[string]any{"method": method, "url": server + path}
		if r.Authorization != "" {
			sent["header"] = []any{map[string]any{"key": "Authorization", "value": r.Authorization}}
		}
		if r.Body != "" {
			sent["body"] = map[string]any{"mode": "raw", "raw": r.Body, "options": map[string]any{"raw": map[string]any{"language": "json"}}}
		}
		item := map[string]any{"name": r.Request, "request": sent}
		if r.Test != "" {
			item["event"] = []any{map[string]any{"listen": "test", "script": map[string]any{"exec": strings.Split(r.Test, "\n")}}}
		}
		items = append(items, item)
	}
	text, _ := json.Marshal(map[string]any{
		"info":     map[string]any{"name": "captures", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item":     items,
		"variable": c.Variable,
	})
	return string(text)
}
