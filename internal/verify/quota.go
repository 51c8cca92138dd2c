package verify

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// maxRequests is how many requests a case sends to use up the rate limit.
const maxRequests = 300

var (
	rateLimit = lazily(`^"[a-z]+";r=([0-9]{1,9});t=([0-9]{1,9})$`)
	policy    = lazily(`^"[a-z]+";q=([0-9]{1,9});w=([0-9]{1,9})$`)
	wholeTime = lazily(`^[1-9][0-9]{0,8}$`)
)

// quota is what one response reports about the rate limit.
type quota struct {
	left, limit int           // requests
	window      time.Duration // in which limit requests are refilled
}

// parseQuota returns false if the response reports no valid rate limit.
func parseQuota(header http.Header) (q quota, ok bool) {
	r := rateLimit().FindStringSubmatch(header.Get("RateLimit"))
	p := policy().FindStringSubmatch(header.Get("RateLimit-Policy"))
	if r == nil || p == nil {
		return quota{}, false
	}
	q.left, _ = strconv.Atoi(r[1])
	q.limit, _ = strconv.Atoi(p[1])
	seconds, _ := strconv.Atoi(p[2])
	q.window = time.Duration(seconds) * time.Second
	return q, q.limit > 0 && seconds > 0
}

// checkQuota checks a response's rate limit: all responses have the same policy, or none has one (LIM-4).
func (r *runner) checkQuota(got received) (wrong faults) {
	if got.status == http.StatusForbidden {
		return nil // refused before it is counted
	}
	q, ok := parseQuota(got.header)
	limit, policy := got.header.Get("RateLimit"), got.header.Get("RateLimit-Policy")
	switch {
	case limit+policy != "" && (!ok || q.left > q.limit):
		wrong.add("headers RateLimit and RateLimit-Policy: got %q and %q", limit, policy)
	case r.policy == nil:
		r.policy = &policy
	case *r.policy != policy:
		wrong.add("header RateLimit-Policy: want %q as before, got %q", *r.policy, policy)
	}
	return wrong
}

// inexhaustible says why the rate limit cannot be used up, or "".
func (r *runner) inexhaustible(ctx context.Context) string {
	got, err := r.send(ctx, Request{Path: "/v1/tools/json_format"})
	if err != nil {
		return "" // the case reports it
	}
	_ = r.checkQuota(got) // other cases report what is wrong with it
	switch q, ok := parseQuota(got.header); {
	case !ok:
		return "the deployment has no rate limit"
	case q.limit >= maxRequests:
		return fmt.Sprintf("the quota of %d is more than the %d requests that would be sent", q.limit, maxRequests)
	}
	return ""
}

// wait delays the next request as the response asks: by Retry-After or, if nothing is left of the quota, until one
// request is refilled. It returns Retry-After, or 0.
func (r *runner) wait(got received) time.Duration {
	if got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable {
		value := got.header.Get("Retry-After")
		if !wholeTime().MatchString(value) {
			return 0
		}
		seconds, _ := strconv.Atoi(value)
		wait := time.Duration(seconds) * time.Second
		if wait <= r.MaxWait {
			r.next = time.Now().Add(wait)
		}
		return wait
	}
	if q, ok := parseQuota(got.header); ok && q.left == 0 {
		r.next = time.Now().Add(min(q.window/time.Duration(q.limit), r.MaxWait))
	}
	return 0
}
