package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/printable"
)

// Options says how to run the cases.
type Options struct {
	BaseURL string
	// Public is the base URL that the deployment's links begin with, if that is not BaseURL.
	Public string
	// Slow, Exhaust and Direct run the cases that need them; RESTOnly leaves out MCP.
	Slow, Exhaust, Direct, RESTOnly bool
	Only                            *regexp.Regexp // matches the names of the cases to run; nil runs all
	// Header is sent with each request. Results do not contain its values.
	Header http.Header
	// MaxWait limits Retry-After and the time of a response; 0 means a minute.
	MaxWait time.Duration
	Client  *http.Client
	// Report is called with each result; nil disables it.
	Report func(Result)
}

// Result is the result of one case.
type Result struct {
	Case    Case
	Skipped string        // why it was skipped, or ""
	Failed  []string      // what was wrong, safe to print; nil if it passed
	Warned  []string      // what does not break the contract, but matters
	Took    time.Duration // includes waiting for the rate limit
}

// maxResponse limits what is read of a response, and maxText the message about one fault, in bytes. After maxSilent cases
// in a row without a response, the others are skipped.
const (
	maxResponse = 64 << 20
	maxText     = 4 << 10
	maxSilent   = 3
)

// runner sends requests to one deployment.
type runner struct {
	Options
	description *description
	document    received  // the OpenAPI document as it was served
	next        time.Time // when the next request may be sent
	agents      *bool     // whether it serves MCP, nil if unknown
	silent      int       // cases in a row without a response

	ids    map[string]bool   // X-Request-Id of all responses
	opened map[string]string // URLs that were opened, and what was wrong
	origin provenance        // of the first result; the others have the same
	policy *string           // RateLimit-Policy of the first response that is counted
	warned []string          // of the current case
}

// ErrNoDescription means that the deployment's OpenAPI document cannot be read, so nothing can be verified.
var ErrNoDescription = errors.New("the deployment's OpenAPI document cannot be read")

// served is the case that fails if there is no OpenAPI document.
var served = Case{Name: "the OpenAPI document is served", Rule: "ADDR-2: GET /v1/openapi.json"}

// Run runs the cases one after the other and returns a result for each selected
// one. With ErrNoDescription there is one result, which says so.
func Run(ctx context.Context, cases []Case, options Options) ([]Result, error) {
	r := newRunner(options)
	start := time.Now()
	if err := r.fetch(ctx); err != nil {
		result := Result{Case: served, Failed: r.shown([]string{err.Error()}), Took: time.Since(start)}
		return []Result{result}, fmt.Errorf("%w: %s", ErrNoDescription, result.Failed[0])
	}
	var results []Result
	for _, c := range cases {
		if r.Only != nil && !r.Only.MatchString(c.Name) {
			continue
		}
		result := r.result(ctx, c)
		if ctx.Err() != nil {
			return results, ctx.Err()
		}
		results = append(results, result)
		if r.Report != nil {
			r.Report(result)
		}
	}
	return results, nil
}

func newRunner(options Options) *runner {
	if options.MaxWait == 0 {
		options.MaxWait = time.Minute
	}
	if options.Client == nil {
		// The contract has no redirects. The transport asks for gzip and decodes it,
		// as HTTP clients usually do, so a gateway may compress.
		unfollowed := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		options.Client = &http.Client{Timeout: options.MaxWait, CheckRedirect: unfollowed}
	}
	options.BaseURL = strings.TrimSuffix(options.BaseURL, "/")
	if options.Public == "" {
		options.Public = options.BaseURL
	}
	options.Public = strings.TrimSuffix(options.Public, "/")
	return &runner{Options: options, ids: map[string]bool{}, opened: map[string]string{}}
}

// result runs one case, or says why it is skipped.
func (r *runner) result(ctx context.Context, c Case) Result {
	start := time.Now()
	result := Result{Case: c, Skipped: r.skip(ctx, c)}
	if result.Skipped == "" {
		r.warned = nil
		result.Failed = r.shown(r.run(ctx, c))
		result.Warned = r.shown(r.warned)
	}
	result.Took = time.Since(start)
	return result
}

// shown makes messages safe to print: they quote the deployment, which is not
// trusted and may repeat a key that only the gateway should know.
func (r *runner) shown(wrong []string) []string {
	for i, text := range wrong {
		for _, values := range r.Header {
			for _, value := range values {
				text = strings.ReplaceAll(text, value, "[--header]")
			}
		}
		if len(text) > maxText {
			text = text[:maxText] + "…"
		}
		wrong[i] = printable.Text(text)
	}
	return wrong
}

// reasons says why a case that needs something is skipped.
var reasons = map[string]string{
	"slow":    "takes more than ten seconds; --slow runs it",
	"exhaust": "uses up the rate limit; --exhaust runs it",
	"direct":  "a proxy handles it itself (--proxied)",
}

// skip says why a case is skipped, or "".
func (r *runner) skip(ctx context.Context, c Case) string {
	for need := range strings.FieldsSeq(c.Needs) {
		if enabled, known := map[string]bool{"slow": r.Slow, "exhaust": r.Exhaust, "direct": r.Direct}[need]; !known {
			return "needs " + need
		} else if !enabled {
			return reasons[need]
		}
	}
	switch {
	case r.silent >= maxSilent:
		return fmt.Sprintf("the deployment did not respond %d times in a row", maxSilent)
	case c.isMCP() && r.RESTOnly:
		return "the deployment does not serve MCP (--rest-only)"
	case c.isMCP() && !c.Response.MCP.Served:
		if serves, err := r.servesAgents(ctx); err == nil && !serves {
			return "the deployment has no " + mcpPath + " (404)"
		}
	}
	if strings.Contains(c.Needs, "exhaust") {
		return r.inexhaustible(ctx)
	}
	return ""
}

// fetch reads the OpenAPI document that the deployment serves.
func (r *runner) fetch(ctx context.Context) (err error) {
	r.document, err = r.once(ctx, Request{Method: http.MethodGet, Path: descriptionPath})
	if err != nil {
		return fmt.Errorf("no response: %w", err)
	}
	if r.document.status != http.StatusOK {
		return fmt.Errorf("status %d at %s%s", r.document.status, r.BaseURL, descriptionPath)
	}
	r.description, err = readDescription(r.document.body)
	return err
}

// received is a response that has been read.
type received struct {
	request Request
	origin  string // of the request
	status  int
	header  http.Header
	body    []byte
}

func (r *runner) run(ctx context.Context, c Case) []string {
	if c.Response.Document != nil {
		return r.compareDocument(ctx, c)
	}
	got, err := r.send(ctx, c.Request)
	for n := 0; err == nil && c.Request.Until != 0 && got.status != c.Request.Until && n < maxRequests; n++ {
		got, err = r.once(ctx, c.Request)
	}
	if err != nil {
		r.silent++
		return []string{"no response: " + err.Error()}
	}
	r.silent = 0
	wrong := append(r.compare(c, got), r.further(ctx, c, got)...)
	if wait := r.wait(got); wait > r.MaxWait {
		wrong = append(wrong, fmt.Sprintf("header Retry-After: %v is more than %v (--max-wait)", wait, r.MaxWait))
	}
	return wrong
}

// compare checks a response without sending another request.
func (r *runner) compare(c Case, got received) []string {
	wrong := r.always(c, got)
	switch {
	case c.Response.isPage():
		return append(wrong, c.Response.comparePage(got)...)
	case c.isMCP():
		return append(r.compareAgents(c, got), wrong...)
	}
	wrong = append(wrong, r.described(c.Request, got)...)
	return append(wrong, r.compareResponse(c, got)...)
}

// further sends the other requests of a case: the same one again, the links in the response, the same call over REST.
func (r *runner) further(ctx context.Context, c Case, got received) (wrong faults) {
	if c.Twice {
		again, err := r.send(ctx, c.Request)
		switch {
		case err != nil:
			return []string{"no response to the second request: " + err.Error()}
		case again.status != got.status || !bytes.Equal(again.body, got.body):
			wrong.add("the same request got a different response: status %d, then %d: %s",
				got.status, again.status, firstDifference(got.body, again.body))
		}
		wrong = append(wrong, r.always(c, again)...)
	}
	if c.Response.MCP.REST != "" && got.status == http.StatusOK {
		wrong = append(wrong, r.compareREST(ctx, c, got)...)
	}
	return append(wrong, r.links(ctx, got)...)
}

// send sends a request once the rate limit allows it. It retries if the response is
// 429 or 503 nevertheless, since others may share the address.
func (r *runner) send(ctx context.Context, request Request) (received, error) {
	for attempt := 0; ; attempt++ {
		select {
		case <-time.After(time.Until(r.next)):
		case <-ctx.Done():
			return received{}, ctx.Err()
		}
		got, err := r.once(ctx, request)
		if err != nil {
			return got, err
		}
		wait := r.wait(got)
		if wait > r.MaxWait {
			return got, fmt.Errorf("status %d, and Retry-After is %v, more than %v (--max-wait)", got.status, wait, r.MaxWait)
		}
		busy := got.status == http.StatusServiceUnavailable && wait > 0 && attempt < 2
		limited := got.status == http.StatusTooManyRequests && wait > 0 && attempt < 5
		if !busy && !limited || request.Until != 0 {
			return got, nil
		}
	}
}

func (r *runner) once(ctx context.Context, c Request) (received, error) {
	text, err := c.body()
	if err != nil {
		return received{}, err
	}
	method := c.Method
	if method == "" {
		method = http.MethodPost
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var body io.Reader = strings.NewReader(text)
	switch {
	case c.Stall:
		body = io.MultiReader(body, stalled{ctx})
	case c.Chunked:
		body = io.MultiReader(body) // hides the length
	}
	request, err := http.NewRequestWithContext(ctx, method, r.BaseURL+c.Path, body)
	if err != nil {
		return received{}, err
	}
	request.Header.Set("User-Agent", "convertd-verify")
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(request.Header, r.Header)
	for name, value := range c.Headers {
		value = strings.ReplaceAll(value, "{origin}", originOf(r.Public))
		switch {
		case name == "Host":
			request.Host = value
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	response, err := r.Client.Do(request)
	if err != nil {
		var failure *url.Error
		if errors.As(err, &failure) {
			err = failure.Err
		}
		return received{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, maxResponse))
	origin := request.Header.Get("Origin")
	return received{c, origin, response.StatusCode, response.Header, content}, err
}

// stalled is a body that never ends.
type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}
