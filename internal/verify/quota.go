package verify

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// maxRequests is how many requests a case sends to use up the rate limit.
const maxRequests = 300

// slack is how many requests the rate limit may be off by: replicas share it
// approximately (LIM-3), and the clocks of both ends differ.
const slack = 3

// replicas is how many machines may each count for themselves before a quota that does not fall counts as not enforced.
const replicas = 8

var (
	rateLimit = lazily(`^"[a-z]+";r=([0-9]{1,9});t=([0-9]{1,9})$`)
	policy    = lazily(`^"[a-z]+";q=([0-9]{1,9});w=([0-9]{1,9})$`)
	wholeTime = lazily(`^[1-9][0-9]{0,8}$`)
)

// quota is what responses have reported about the rate limit.
type quota struct {
	known    bool // whether a response has been seen
	policy   string
	limit    int           // requests
	window   time.Duration // in which limit requests are refilled
	start    time.Time
	sent     int // since start
	lowest   int // the fewest requests that were left
	reported bool
}

func (q *quota) parse(header http.Header) (left, limit int, window time.Duration, ok bool) {
	r := rateLimit().FindStringSubmatch(header.Get("RateLimit"))
	p := policy().FindStringSubmatch(header.Get("RateLimit-Policy"))
	if r == nil || p == nil {
		return 0, 0, 0, false
	}
	left, _ = strconv.Atoi(r[1])
	limit, _ = strconv.Atoi(p[1])
	seconds, _ := strconv.Atoi(p[2])
	return left, limit, time.Duration(seconds) * time.Second, limit > 0 && seconds > 0
}

// count compares a response's rate limit with that of earlier ones: all have the
// two headers or none, the policy is the same, and the remaining requests fall.
func (q *quota) count(got received) (wrong faults) {
	if got.status == http.StatusForbidden {
		return nil // refused before it is counted
	}
	fields := got.header.Get("RateLimit") + got.header.Get("RateLimit-Policy")
	left, limit, window, ok := q.parse(got.header)
	switch {
	case fields != "" && (!ok || left > limit):
		wrong.add("headers RateLimit and RateLimit-Policy: got %q and %q", got.header.Get("RateLimit"), got.header.Get("RateLimit-Policy"))
		return wrong
	case !q.known:
		q.known, q.policy, q.limit, q.window = true, got.header.Get("RateLimit-Policy"), limit, window
		q.start, q.lowest = time.Now(), left
	case q.policy != got.header.Get("RateLimit-Policy"):
		wrong.add("header RateLimit-Policy: want %q as before, got %q", q.policy, got.header.Get("RateLimit-Policy"))
		return wrong
	}
	if got.status == http.StatusTooManyRequests && fields == "" {
		wrong.add("header RateLimit: a 429 must have it")
	}
	if !ok {
		return wrong
	}
	q.sent++
	q.lowest = min(q.lowest, left)
	refilled := int(time.Since(q.start).Seconds() * float64(q.limit) / q.window.Seconds())
	if used := (q.sent - refilled) / replicas; used > slack && q.limit-q.lowest < used-slack && !q.reported {
		q.reported = true
		wrong.add("header RateLimit: at least %d of %d were left after %d requests: the limit is not enforced", q.lowest, q.limit, q.sent)
	}
	return wrong
}

// llmsPath is the page that describes the rate limit in words.
const llmsPath = "/llms.txt"

var promise = lazily(`about [0-9]+ requests a minute`)

// checkPromise checks that responses have the headers if the page says that there is a rate limit (LIM-4).
func (q *quota) checkPromise(page []byte) []string {
	if text := promise().Find(page); text != nil && q.known && q.policy == "" {
		return []string{fmt.Sprintf("header RateLimit: responses do not have it, but %s says %q", llmsPath, text)}
	}
	return nil
}

// inexhaustible says why the quota cannot be used up, or "".
func (q *quota) inexhaustible() string {
	switch {
	case q.known && q.policy == "":
		return "the deployment has no rate limit"
	case q.limit > maxRequests-slack:
		return fmt.Sprintf("the quota of %d is more than the %d requests that would be sent", q.limit, maxRequests)
	}
	return ""
}

// refused compares the Retry-After of a 429 with the quota: one request is refilled after its share of the window.
func (r *runner) refused(got received) (wrong faults) {
	wait := r.wait(got)
	if r.quota.limit == 0 || got.status != http.StatusTooManyRequests {
		return nil
	}
	share := r.quota.window / time.Duration(r.quota.limit)
	if most := share + slack*time.Second; wait > most {
		wrong.add("header Retry-After: %v, but the quota refills a request each %v", wait, share)
	}
	if wait > r.MaxWait {
		r.next = time.Time{}
		wrong.add("header Retry-After: %v is more than %v (--max-wait)", wait, r.MaxWait)
	}
	return wrong
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
	left, limit, window, ok := r.quota.parse(got.header)
	if ok && left == 0 {
		r.next = time.Now().Add(min(window/time.Duration(limit), r.MaxWait))
	}
	return 0
}
