package sdk

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/gen/client"
	"github.com/convertd/convertd/internal/check"
)

const token = "eyJhbGciOiJub25lIn0.eyJyb2xlcyI6WyJhIiwiYiJdfQ."

func newClient(t *testing.T, url string) *client.ClientWithResponses {
	t.Helper()
	return check.Value(client.NewClientWithResponses(url))(t)
}

func minified(value string) client.JSONFormatRequest {
	indent := int32(0)
	return client.JSONFormatRequest{
		Input:   client.JSONInput{MediaType: client.JSONMediaTypeApplicationJSON, Value: value},
		Options: &client.JSONFormatOptions{Indent: &indent},
	}
}

// TestGo runs the shared scenario with the committed Go client.
func TestGo(t *testing.T) {
	ctx := context.Background()
	url, sent := record(t, serve(t, "--rate-limit=0"))
	c := newClient(t, url)

	decoded, err := c.JWTDecodeWithResponse(ctx, client.JWTDecodeRequest{
		Input: client.JWTInput{MediaType: client.JWTMediaTypeApplicationJWT, Value: token},
	})
	if err != nil || decoded.JSON200 == nil || len(decoded.JSON200.Warnings) != 2 {
		t.Fatalf("jwt_decode: %v %s", err, decoded.Body)
	}
	formatted, err := c.JSONFormatWithResponse(ctx, minified(`{"b":1.50}`))
	if err != nil || formatted.JSON200 == nil || formatted.JSON200.Output != (client.JSONOutput{MediaType: client.JSONMediaTypeApplicationJSON, Value: `{"b":1.50}`}) {
		t.Fatalf("json_format: %v %s", err, formatted.Body)
	}
	yaml, err := c.JSONToYAMLWithResponse(ctx, client.JSONToYAMLRequest{Input: minified(`{"a":"no"}`).Input})
	if err != nil || yaml.JSON200 == nil || yaml.JSON200.Output.Value != "a: \"no\"\n" {
		t.Fatalf("json_to_yaml: %v %s", err, yaml.Body)
	}
	unit := client.TimestampUnitSeconds
	iso, err := c.TimestampToISOWithResponse(ctx, client.TimestampToISORequest{
		Input:   client.TimestampInput{MediaType: client.TextMediaTypeTextPlain, Value: "0.5"},
		Options: &client.TimestampToISOOptions{Unit: &unit},
	})
	if err != nil || iso.JSON200 == nil || iso.JSON200.Output.Value != "1970-01-01T00:00:00.5Z" {
		t.Fatalf("timestamp_to_iso: %v %s", err, iso.Body)
	}
	described, err := c.APIConvertWithResponse(ctx, client.APIConvertRequest{
		Input:   client.APISourceInput{MediaType: client.APISourceMediaTypeTextPlain, Value: "curl https://api.example.com/orders/7"},
		Options: client.APIConvertOptions{Target: client.APIConvertTargetOpenapi31JSON},
	})
	if err != nil || described.JSON200 == nil || described.JSON200.Output.MediaType != "application/json" {
		t.Fatalf("api_convert: %v %s", err, described.Body)
	}
	var description struct{ Paths map[string]any }
	if err := json.Unmarshal([]byte(described.JSON200.Output.Value), &description); err != nil || description.Paths["/orders/{orderId}"] == nil {
		t.Errorf("api_convert: %v %s", err, described.JSON200.Output.Value)
	}
	pipeline(t, c)
	sent.check(t)

	refused, err := c.JSONFormatWithResponse(ctx, minified(`{"a":1,"a":2}`))
	if err != nil || refused.ApplicationProblemJSON422 == nil {
		t.Fatalf("%v %s", err, refused.Body)
	}
	if p := refused.ApplicationProblemJSON422; p.Code != client.ProblemCodeDuplicateKey || p.Path == nil || *p.Path != "/input/value" {
		t.Errorf("problem: %+v", p)
	}
	largest := "[" + strings.Repeat("1,", 524_200) + "1]"
	big, err := c.JSONFormatWithResponse(ctx, minified(largest))
	if err != nil || big.JSON200 == nil || big.JSON200.Output.Value != largest {
		t.Errorf("largest: %v, status %d", err, big.StatusCode())
	}
	waits(t, newClient(t, serve(t, limit)))
}

func pipeline(t *testing.T, c *client.ClientWithResponses) {
	t.Helper()
	indent := int32(4)
	var decode, yaml client.PipelineStep
	check.OK(t, decode.FromJWTDecodeStep(client.JWTDecodeStep{ID: "decode", Tool: client.JWTDecodeStepToolJWTDecode}))
	if err := yaml.FromJSONToYAMLStep(client.JSONToYAMLStep{ID: "yaml", Tool: client.JSONToYAMLStepToolJSONToYAML, Options: &client.JSONToYAMLOptions{Indent: &indent}}); err != nil {
		t.Fatal(err)
	}
	response, err := c.PipelineWithResponse(context.Background(), client.PipelineRequest{
		Version:       1,
		Input:         client.PipelineInput{MediaType: "application/jwt", Value: token},
		Steps:         []client.PipelineStep{decode, yaml},
		ReturnStepIds: &[]client.StepID{"decode"},
	})
	if err != nil || response.JSON200 == nil {
		t.Fatalf("pipeline: %v %s", err, response.Body)
	}
	const want = "header:\n    alg: none\npayload:\n    roles:\n        - a\n        - b\n"
	if got := response.JSON200; got.Output.Value != want || got.Outputs == nil || len(*got.Outputs) != 1 || got.Steps == nil || len(*got.Steps) != 2 {
		t.Errorf("pipeline: %+v", got)
	}
}

// waits uses up the rate limit and waits as long as Retry-After says.
func waits(t *testing.T, c *client.ClientWithResponses) {
	t.Helper()
	for range 100 {
		response := check.Value(c.JSONFormatWithResponse(context.Background(), minified("1")))(t)
		if response.StatusCode() == http.StatusOK {
			continue
		}
		if p := response.ApplicationProblemJSON429; p == nil || p.Code != client.ProblemCodeRateLimited {
			t.Fatalf("%s", response.Body)
		}
		seconds := check.Value(strconv.Atoi(response.HTTPResponse.Header.Get("Retry-After")))(t)
		time.Sleep(time.Duration(seconds) * time.Second)
		again, err := c.JSONFormatWithResponse(context.Background(), minified("1"))
		if err != nil || again.JSON200 == nil {
			t.Errorf("after %d seconds: %v %s", seconds, err, again.Body)
		}
		return
	}
	t.Error("never limited")
}
