package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/convertd/convertd/gen/client"
	"github.com/convertd/convertd/internal/convert"
)

// Remote runs calls on a server, by the generated client.
type Remote struct {
	client *client.Client
}

// maxAnswer bounds what is read of a response: an output, its escapes, and a
// pipeline's further outputs, in bytes.
const maxAnswer = 64 << 20

// ErrUnavailable is the error of a server that cannot be reached or does not
// answer as the description says.
var ErrUnavailable = errors.New("the server does not answer as a conversion service")

// NewRemote returns a converter for the service at a base URL.
func NewRemote(baseURL, version string) (*Remote, error) {
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("--server: must be an address such as https://convert.example.com")
	}
	c, err := client.NewClient(baseURL, client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("User-Agent", "convertd/"+version)
		return nil
	}))
	return &Remote{client: c}, err
}

// Convert runs a call. The tools' operations differ in their path only, so
// that one method of the client serves them all, and a tool that this program
// learns of from the description needs no line here.
func (m *Remote) Convert(ctx context.Context, r Request) (Answer, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r.Body); err != nil {
		return Answer{}, err
	}
	toOperation := func(_ context.Context, request *http.Request) error {
		base, err := url.Parse(m.client.Server)
		if err != nil {
			return err
		}
		request.URL = base.JoinPath(r.Path)
		return nil
	}
	response, err := m.client.PipelineWithBody(ctx, "application/json", &body, toOperation)
	if err != nil {
		if ctx.Err() != nil {
			return Answer{}, ctx.Err()
		}
		return Answer{}, fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return Answer{}, fmt.Errorf("%w: %v", ErrUnavailable, err)
	}
	if response.StatusCode != http.StatusOK {
		if p, err := decodeProblem(text); err == nil {
			return Answer{}, p
		}
		return Answer{}, fmt.Errorf("%w: status %d without a problem document", ErrUnavailable, response.StatusCode)
	}
	var result client.ToolResult
	if err := json.Unmarshal(text, &result); err != nil || result.Provenance.Tool != r.Operation {
		return Answer{}, fmt.Errorf("%w: status 200 without the result of %s", ErrUnavailable, r.Operation)
	}
	return Answer{
		Output:   convert.Artifact{MediaType: result.Output.MediaType, Value: result.Output.Value},
		Warnings: result.Warnings,
		JSON:     func() []byte { return text },
	}, nil
}
