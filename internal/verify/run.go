package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/printable"
)

// Options are how to run the cases.
type Options struct {
	BaseURL string
	// Slow, Exhaust and Direct run the cases that need it.
	Slow, Exhaust, Direct bool
	Only                  *regexp.Regexp // the names to run, nil is all
	Client                *http.Client
	// Report is told of each result as it is there; nil is nobody.
	Report func(Result)
}

// Result is how one case went.
type Result struct {
	Case    Case
	Skipped string        // why it did not run, or ""
	Failed  []string      // what was wrong, fit for a terminal; nil when all was well
	Took    time.Duration // waiting for the rate limit included
}

// maxAnswer bounds what is read of a response, and maxText what is told of one
// thing that was wrong with it, in bytes.
const (
	maxAnswer = 64 << 20
	maxText   = 4 << 10
)

// runner sends requests to one deployment.
type runner struct {
	Options
	description *openapi3.T
	next        time.Time // not before then may the next request be sent
	agents      *bool     // whether it serves MCP, nil when it has not been asked
}

// ErrNoDescription means that the URL does not serve the description, or not
// now, so that nothing can be verified.
var ErrNoDescription = errors.New("the deployment's description cannot be read")

// Run runs the cases one after the other and returns a result for each.
func Run(ctx context.Context, cases []Case, options Options) ([]Result, error) {
	if options.Client == nil {
		// A redirect is an answer that the contract does not have.
		unfollowed := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		options.Client = &http.Client{Timeout: time.Minute, CheckRedirect: unfollowed}
	}
	options.BaseURL = strings.TrimSuffix(options.BaseURL, "/")
	r := &runner{Options: options}
	if err := r.fetch(ctx); err != nil {
		return nil, err
	}
	var results []Result
	for _, c := range cases {
		if r.Only != nil && !r.Only.MatchString(c.Name) {
			continue
		}
		start := time.Now()
		result := Result{Case: c, Skipped: r.skip(c)}
		if result.Skipped == "" && c.isMCP() {
			if serves, err := r.servesAgents(ctx); err == nil && !serves {
				result.Skipped = "the deployment has no " + mcpPath + " (404)"
			}
		}
		if result.Skipped == "" {
			result.Failed = shown(r.run(ctx, c))
		}
		result.Took = time.Since(start)
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

// shown is what was wrong, fit to be shown: it quotes the deployment, which may
// be anybody's.
func shown(wrong []string) []string {
	for i, text := range wrong {
		if len(text) > maxText {
			text = text[:maxText] + "…"
		}
		wrong[i] = printable.Text(text)
	}
	return wrong
}

func (r *runner) skip(c Case) string {
	asked, known := map[string]bool{"": true, "slow": r.Slow, "exhaust": r.Exhaust, "direct": r.Direct}[c.Needs]
	if !known || !asked {
		return "needs " + c.Needs
	}
	return ""
}

// fetch reads the description that the deployment serves.
func (r *runner) fetch(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.BaseURL+"/v1/openapi.json", nil)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrNoDescription, err)
	}
	response, err := r.Client.Do(request)
	if err != nil {
		return fmt.Errorf("%w: %v", ErrNoDescription, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil || response.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: status %d at %s/v1/openapi.json", ErrNoDescription, response.StatusCode, r.BaseURL)
	}
	r.description, err = openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return fmt.Errorf("%w: %s", ErrNoDescription, shown([]string{err.Error()})[0])
	}
	return nil
}

// received is a response that has been read.
type received struct {
	status int
	header http.Header
	body   []byte
}

// run runs one case.
func (r *runner) run(ctx context.Context, c Case) []string {
	got, err := r.send(ctx, c.Request)
	for n := 0; err == nil && c.Request.Until != 0 && got.status != c.Request.Until && n < 200; n++ {
		got, err = r.once(ctx, c.Request)
	}
	if err != nil {
		return []string{"no answer: " + err.Error()}
	}
	if c.Request.Until == http.StatusTooManyRequests {
		r.wait(got)
	}
	if c.isMCP() {
		return r.compareAgents(c, got)
	}
	return append(r.described(c.Request, got), c.Answer.compare(got)...)
}

// send sends the request when the rate limit lets it pass, and again when it
// was refused for it all the same: others may share the address.
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
		r.wait(got)
		if got.status != http.StatusTooManyRequests || attempt == 5 || request.Until != 0 {
			return got, nil
		}
	}
}

var (
	remaining = regexp.MustCompile(`;r=([0-9]+)`)
	policy    = regexp.MustCompile(`;q=([0-9]+);w=([0-9]+)`)
)

// wait puts the next request off as the answer asks: by Retry-After, or, when
// nothing is left of the quota, by the time in which one request is refilled.
func (r *runner) wait(got received) {
	if seconds, err := strconv.Atoi(got.header.Get("Retry-After")); err == nil {
		r.next = time.Now().Add(time.Duration(min(seconds, 600)) * time.Second)
		return
	}
	left := remaining.FindStringSubmatch(got.header.Get("RateLimit"))
	rate := policy.FindStringSubmatch(got.header.Get("RateLimit-Policy"))
	if left == nil || rate == nil || left[1] != "0" {
		return
	}
	quota, _ := strconv.Atoi(rate[1])
	window, _ := strconv.Atoi(rate[2])
	if quota > 0 {
		r.next = time.Now().Add(time.Duration(window) * time.Second / time.Duration(quota))
	}
}

// once sends the request once.
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
	request.Header.Set("Content-Type", "application/json")
	for name, value := range c.Headers {
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
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return received{response.StatusCode, response.Header, answer}, err
}

// stalled is a body that does not go on.
type stalled struct{ ctx context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}
