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

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/printable"
)

// Remote converts on a server. The server is not trusted (CLI-3): a request times out, the response is bounded, and the
// input is sent to no other server.
type Remote struct {
	client  *http.Client
	url     string // of the operation
	agent   string
	request Request
}

// Limits of what is read from a server, in bytes.
const (
	maxResult  = 64 << 20 // an output with its escapes, and the other outputs of a pipeline
	maxProblem = 64 << 10 // a problem document
	maxHeaders = 64 << 10
)

// maxConnect bounds how long connecting and the TLS handshake may take.
const maxConnect = 10 * time.Second

// ErrUnavailable is the error of a server that cannot be reached or does not respond as the OpenAPI document says.
var ErrUnavailable = errors.New("the server cannot be reached or is not a conversion service; check that --server (or CONVERTD_SERVER) is its base URL")

// unavailable returns an ErrUnavailable with the reason.
func unavailable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrUnavailable, printable.Line(fmt.Sprintf(format, args...)))
}

// NewRemote returns a converter for the service at a base URL. timeout bounds a
// request from connecting to the last byte of the response.
func NewRemote(request Request, baseURL, version string, timeout time.Duration) (*Remote, error) {
	if timeout <= 0 {
		return nil, errors.New("--timeout: must be more than 0s")
	}
	if err := CheckServer(baseURL); err != nil {
		return nil, fmt.Errorf("--server (or CONVERTD_SERVER): %w", err)
	}
	operation, err := url.JoinPath(baseURL, request.Path)
	return &Remote{client: httpClient(timeout), url: operation, agent: "convertd/" + version, request: request}, err
}

// CheckServer reports why a URL cannot be the base URL of a service.
func CheckServer(baseURL string) error {
	u, err := url.Parse(baseURL)
	if err == nil && u.Port() != "" {
		_, err = strconv.ParseUint(u.Port(), 10, 16)
	}
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("must be a URL such as https://convert.example.com")
	case strings.ContainsAny(baseURL, "?#"):
		return errors.New("must have no query or fragment")
	}
	return nil
}

// httpClient returns a client for a server that is not trusted. It follows no redirects, which would resend the body,
// and asks for no compression, which would let a small response expand to any size.
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

// Convert implements Converter. It writes nothing to out.
func (m *Remote) Convert(ctx context.Context, input convert.Artifact, _ io.Writer) (Result, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(m.request.with(input)); err != nil {
		return Result{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, &body)
	if err != nil {
		return Result{}, err
	}
	request.Header = http.Header{"Content-Type": {"application/json"}, "User-Agent": {m.agent}}
	response, err := m.client.Do(request)
	if err != nil {
		return Result{}, m.failed(ctx, "", err)
	}
	defer response.Body.Close()
	if location := response.Header.Get("Location"); response.StatusCode/100 == 3 && location != "" {
		return Result{}, unavailable("it redirects to %.200s, which is not followed", location)
	}
	if response.StatusCode != http.StatusOK {
		return Result{}, m.refused(ctx, response)
	}
	text, err := m.read(ctx, response, "application/json", maxResult)
	if err != nil {
		return Result{}, err
	}
	var result struct {
		Output     convert.Artifact
		Warnings   []string
		Provenance struct{ Tool string }
	}
	if err := json.Unmarshal(text, &result); err != nil || result.Provenance.Tool != m.request.Operation {
		return Result{}, unavailable("status 200 without a result of %s", m.request.Operation)
	}
	return Result{
		Output:   result.Output,
		Warnings: result.Warnings,
		JSON:     func() []byte { return text },
	}, nil
}

// refused returns the *Problem of a response that is not a result, or an error if it has none.
func (m *Remote) refused(ctx context.Context, response *http.Response) error {
	text, err := m.read(ctx, response, "application/problem+json", maxProblem)
	if err != nil {
		return err
	}
	p, err := decodeProblem(text)
	if err != nil || p.Status != response.StatusCode {
		return unavailable("status %d without a problem document", response.StatusCode)
	}
	if p.Code == string(convert.UnknownRoute) {
		return unavailable("it has no %s there", m.request.Path)
	}
	if p.Code == string(convert.RequestTooLarge) {
		p = p.hinted("Leave out --server (and CONVERTD_SERVER): without it, inputs of up to 1 GiB are converted.")
	}
	p.RetryAfter, _ = strconv.Atoi(response.Header.Get("Retry-After")) // a date, or none, is 0
	return p
}

// read returns the body of a response. It must have the media type, no content encoding, and at most most bytes.
func (m *Remote) read(ctx context.Context, response *http.Response, mediaType string, most int64) ([]byte, error) {
	got, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if encoding := response.Header.Get("Content-Encoding"); got != mediaType || encoding != "" {
		return nil, unavailable("status %d without a body of type %s", response.StatusCode, mediaType)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	if err != nil {
		return nil, m.failed(ctx, "the response ends early: ", err)
	}
	if int64(len(text)) > most {
		return nil, unavailable("the response is longer than %d bytes", most)
	}
	return text, nil
}

// failed returns the error of a connection that failed.
func (m *Remote) failed(ctx context.Context, action string, err error) error {
	var network net.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &network) && network.Timeout():
		return unavailable("no complete response in time; %v to connect, %v in all (--timeout)", min(maxConnect, m.client.Timeout), m.client.Timeout)
	}
	return unavailable("%s%v", action, err)
}
