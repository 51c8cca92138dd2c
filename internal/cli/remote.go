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
	"strconv"

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
var ErrUnavailable = errors.New("no answer of a conversion service; is --server (or CONVERTD_SERVER) its base URL?")

// unavailable is an ErrUnavailable for a reason.
func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w\n  %s", ErrUnavailable, fmt.Sprintf(format, args...))
}

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
		return Answer{}, unavailable("%v", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return Answer{}, unavailable("the answer breaks off: %v", err)
	}
	if response.StatusCode != http.StatusOK {
		if p, err := decodeProblem(text); err == nil {
			p.RetryAfter, _ = strconv.Atoi(response.Header.Get("Retry-After")) // a date, or none, is 0
			return Answer{}, p
		}
		return Answer{}, unavailable("It answered with status %d and no problem document.", response.StatusCode)
	}
	var result client.ToolResult
	if err := json.Unmarshal(text, &result); err != nil || result.Provenance.Tool != r.Operation {
		return Answer{}, unavailable("It answered with status 200, but not with the result of %s.", r.Operation)
	}
	return Answer{
		Output:   convert.Artifact{MediaType: result.Output.MediaType, Value: result.Output.Value},
		Warnings: result.Warnings,
		JSON:     func() []byte { return text },
	}, nil
}
