package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"

	goccy "github.com/goccy/go-yaml"
	sigs "sigs.k8s.io/yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
)

// BenchmarkTool measures tools alone, with the inputs of the workloads.
func BenchmarkTool(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"4KiB", 4 << 10}, {"500KB", 500_000}, {"1MiB", 1 << 20}} {
		value := anyJSON(size.bytes)
		for _, name := range []string{"json_format", "json_to_yaml"} {
			b.Run(name+"/"+size.name, func(b *testing.B) { runTool(b, name, "application/json", value, convert.Options{"indent": 2}) })
		}
	}
	for _, size := range []struct {
		name  string
		bytes int
	}{{"4KiB", 4 << 10}, {"1MiB", 1 << 20}} {
		token := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256"}`)) + "." +
			base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"scope":%s}`, anyJSON(size.bytes*3/4-100))) + ".AAECAwQFBgcICQoLDA0ODw"
		b.Run("jwt_decode/"+size.name, func(b *testing.B) { runTool(b, "jwt_decode", "application/jwt", token, nil) })
	}
	for _, size := range []struct {
		name  string
		bytes int
	}{{"7KB", 7_000}, {"250KB", 250_000}, {"900KB", 900_000}} {
		value := description(size.bytes)
		b.Run("api_convert/"+size.name, func(b *testing.B) {
			runTool(b, "api_convert", "application/json", value, convert.Options{"target": "postman-2.1"})
		})
	}
}

func runTool(b *testing.B, name, mediaType, value string, options convert.Options) {
	for _, tool := range tools.All() {
		if tool.Name != name {
			continue
		}
		b.SetBytes(int64(len(value)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tool.Convert(context.Background(), convert.Input{
				Artifact: convert.Artifact{MediaType: mediaType, Value: value},
				Options:  options,
				Limit:    convert.NewOutputLimit(1<<22, 1<<24),
			}); err != nil {
				b.Fatal(err)
			}
		}
		return
	}
	b.Fatal("there is no tool " + name)
}

// BenchmarkLibrary measures the libraries that a Go program would use otherwise.
func BenchmarkLibrary(b *testing.B) {
	value := []byte(anyJSON(500_000))
	for name, convert := range map[string]func() error{
		"json.Indent/500KB": func() error {
			var out bytes.Buffer
			if !json.Valid(value) {
				b.Fatal("not JSON")
			}
			return json.Indent(&out, value, "", "  ")
		},
		"goccy/500KB": func() error { _, err := goccy.JSONToYAML(value); return err },
		"sigs/500KB":  func() error { _, err := sigs.JSONToYAML(value); return err },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(value)))
			b.ReportAllocs()
			for b.Loop() {
				check.OK(b, convert())
			}
		})
	}
}
