package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/convertd/convertd/gen/client"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/printable"
)

// Remote runs calls on a server, by the generated client. The server may be
// anybody's (CLI-3): a call ends in time, reads a bounded answer, and sends the input
// to no other place than the one that was named.
type Remote struct {
	client  *client.Client
	timeout time.Duration
	request Request
}

// What a server may cost, in bytes.
const (
	maxAnswer  = 64 << 20 // a result: an output, its escapes, and a pipeline's further outputs
	maxProblem = 64 << 10 // a problem document
	maxHeaders = 64 << 10
)

// maxConnect is how long a connection may take to be made, and its TLS
// handshake.
const maxConnect = 10 * time.Second

// ErrUnavailable is the error of a server that cannot be reached or does not
// answer as the description says.
var ErrUnavailable = errors.New("no answer of a conversion service; is --server (or CONVERTD_SERVER) its base URL?")

// unavailable is an ErrUnavailable for a reason.
func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w\n  %s", ErrUnavailable, printable.Line(fmt.Sprintf(format, args...)))
}

// NewRemote returns a converter for the service at a base URL; a call may take
// timeout from its connection to the last byte of its answer.
func NewRemote(request Request, baseURL, version string, timeout time.Duration) (*Remote, error) {
	if timeout <= 0 {
		return nil, errors.New("--timeout: must be more than 0s")
	}
	if err := CheckServer(baseURL); err != nil {
		return nil, fmt.Errorf("--server: %w", err)
	}
	named := client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("User-Agent", "convertd/"+version)
		return nil
	})
	c, err := client.NewClient(baseURL, named, client.WithHTTPClient(httpClient(timeout)))
	return &Remote{client: c, timeout: timeout, request: request}, err
}

// CheckServer refuses what is no base URL of a service: the paths of the
// description would go behind a query, and without a host they would be one.
func CheckServer(baseURL string) error {
	u, err := url.Parse(baseURL)
	if err == nil && u.Port() != "" {
		_, err = strconv.ParseUint(u.Port(), 10, 16)
	}
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must be an address such as https://convert.example.com")
	case strings.ContainsAny(baseURL, "?#"):
		return errors.New("must have no query or fragment")
	}
	return nil
}

// httpClient is for one call of a server that is not trusted. It follows no
// redirect, since the body would go with it, and asks for no compression,
// since the size of what comes would be the server's to choose.
func httpClient(timeout time.Duration) *http.Client {
	return &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: maxConnect}).DialContext,
			TLSHandshakeTimeout:    maxConnect,
			MaxResponseHeaderBytes: maxHeaders,
			DisableCompression:     true,
			DisableKeepAlives:      true,
			ForceAttemptHTTP2:      true,
		},
	}
}

// Convert runs a call. The tools' operations differ in their path only, so
// that one method of the client serves them all, and a tool that this program
// learns of from the description needs no line here. Nothing is written before
// the whole answer is there.
func (m *Remote) Convert(ctx context.Context, input convert.Artifact, _ io.Writer) (Answer, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.request.with(input)); err != nil {
		return Answer{}, err
	}
	toOperation := func(_ context.Context, request *http.Request) error {
		base, err := url.Parse(m.client.Server)
		if err != nil {
			return err
		}
		request.URL = base.JoinPath(m.request.Path)
		return nil
	}
	response, err := m.client.PipelineWithBody(ctx, "application/json", &body, toOperation)
	if err != nil {
		return Answer{}, m.broken(ctx, "", err)
	}
	defer response.Body.Close()
	if location := response.Header.Get("Location"); response.StatusCode/100 == 3 && location != "" {
		return Answer{}, unavailable("It answered with a redirect to %.200s, which is not followed.", location)
	}
	if response.StatusCode != http.StatusOK {
		return Answer{}, m.refused(ctx, response)
	}
	text, err := m.read(ctx, response, "application/json", maxAnswer)
	if err != nil {
		return Answer{}, err
	}
	var result client.PipelineResult // of one shape with every tool's
	if err := json.Unmarshal(text, &result); err != nil || result.Provenance.Tool != m.request.Operation {
		return Answer{}, unavailable("It answered with status 200, but not with the result of %s.", m.request.Operation)
	}
	return Answer{
		Output:   convert.Artifact{MediaType: string(result.Output.MediaType), Value: result.Output.Value},
		Warnings: result.Warnings,
		JSON:     func() []byte { return text },
	}, nil
}

// refused returns the *Problem of a response that is no result, or why there
// is none.
func (m *Remote) refused(ctx context.Context, response *http.Response) error {
	text, err := m.read(ctx, response, "application/problem+json", maxProblem)
	if err != nil {
		return err
	}
	p, err := decodeProblem(text)
	if err != nil || p.Status != response.StatusCode {
		return unavailable("It answered with status %d and no problem document.", response.StatusCode)
	}
	p.RetryAfter, _ = strconv.Atoi(response.Header.Get("Retry-After")) // a date, or none, is 0
	return p
}

// read reads the body of a response that has to be of a media type, not
// encoded, and of at most so many bytes.
func (m *Remote) read(ctx context.Context, response *http.Response, mediaType string, most int64) ([]byte, error) {
	got, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if encoding := response.Header.Get("Content-Encoding"); got != mediaType || encoding != "" {
		return nil, unavailable("It answered with status %d, but not with %s.", response.StatusCode, mediaType)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, m.broken(ctx, "the answer breaks off: ", err)
	}
	if int64(len(text)) > most {
		return nil, unavailable("The answer is longer than %d bytes.", most)
	}
	return text, nil
}

// broken is the error of a connection that failed.
func (m *Remote) broken(ctx context.Context, what string, err error) error {
	var network net.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &network) && network.Timeout():
		return unavailable("No whole answer came in time: %v to connect, %v in all (--timeout).", min(maxConnect, m.timeout), m.timeout)
	}
	return unavailable("%s%v", what, err)
}
