package guard

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"

	"github.com/convertd/convertd/internal/convert"
)

// addresses is how many client addresses the quota remembers. It evicts the least
// recently seen first; at worst, that client gets a fresh quota.
const addresses = 65536

// Quota counts requests per client address with the generic cell rate algorithm: perMinute at once, refilled evenly.
type Quota struct {
	perMinute int
	limiter   *throttled.GCRARateLimiterCtx
	shared    *Shared // nil if this machine counts alone
}

// NewQuota allows perMinute requests per minute and address; 0 means unlimited. If shared is not nil, it decides about
// the requests that pass here, except while it fails.
func NewQuota(perMinute int, shared *Shared) (*Quota, error) {
	if perMinute == 0 {
		return &Quota{}, nil
	}
	store, err := memstore.NewCtx(addresses)
	if err != nil {
		return nil, err
	}
	return newQuota(perMinute, shared, store)
}

// newQuota counts in a store, by this machine's monotonic time rather than the store's.
func newQuota(perMinute int, shared *Shared, store throttled.GCRAStoreCtx) (*Quota, error) {
	limiter, err := throttled.NewGCRARateLimiterCtx(steadyStore{store, time.Now()}, localQuota(perMinute))
	if err != nil {
		return nil, err
	}
	// Concurrent requests of one address compare and swap one cell. Each round lets
	// one through, so many rounds are needed.
	limiter.SetMaxCASAttemptsLimit(10_000)
	return &Quota{perMinute: perMinute, limiter: limiter, shared: shared}, nil
}

// localQuota returns the quota in throttled's terms.
func localQuota(perMinute int) throttled.RateQuota {
	return throttled.RateQuota{MaxRate: throttled.PerDuration(1, emission(perMinute)), MaxBurst: perMinute - 1}
}

// steadyStore is a store whose time advances evenly when the machine's clock is
// set. Otherwise setting it back an hour would reject every client for an hour.
type steadyStore struct {
	throttled.GCRAStoreCtx
	start time.Time // has a monotonic clock reading
}

// GetWithTime implements throttled.GCRAStoreCtx.
func (s steadyStore) GetWithTime(ctx context.Context, key string) (int64, time.Time, error) {
	value, _, err := s.GCRAStoreCtx.GetWithTime(ctx, key)
	return value, s.start.Add(time.Since(s.start)), err
}

// verdict is the result of counting one request.
type verdict struct {
	limited    bool          // over the quota
	remaining  int           // requests that would pass now
	resetAfter time.Duration // until the quota is full again
	retryAfter time.Duration // until the next request passes, when limited
}

// text returns the value of the RateLimit header (draft-ietf-httpapi-ratelimit-headers).
func (v verdict) text() string {
	var space [48]byte
	text := strconv.AppendInt(append(space[:0], `"anonymous";r=`...), int64(v.remaining), 10)
	return string(strconv.AppendInt(append(text, ";t="...), int64(seconds(v.resetAfter)), 10))
}

// take counts one request: locally and, if it passes, with the other replicas. So a flood that exceeds the quota at one
// replica does not reach Redis, and the local count is right when Redis fails.
func (q *Quota) take(ctx context.Context, client string) (verdict, error) {
	limited, state, err := q.limiter.RateLimitCtx(ctx, client, 1)
	if q.shared != nil && !limited && err == nil {
		if v, ok := q.shared.take(client); ok {
			return v, nil
		}
	}
	return verdict{limited, state.Remaining, state.ResetAfter, state.RetryAfter}, err
}

// Limit rejects requests over the quota and reports in each response what is left. Trusted proxies name the client. The
// requests have passed Observe.
func (q *Quota) Limit(trustedProxies []netip.Prefix, refuse Refuser) Middleware {
	if q.limiter == nil {
		return func(next http.Handler) http.Handler { return next }
	}
	policy := []string{fmt.Sprintf(`"anonymous";q=%d;w=60`, q.perMinute)} // never modified
	note := noteClient(trustedProxies)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c := r.Context().Value(requestKey{}).(*requestContext)
			note(r, c)
			v, err := q.take(r.Context(), cmp.Or(c.client, unknownClient))
			if err != nil {
				slog.Error("the quota failed; the request passes", "type", fmt.Sprintf("%T", err))
				next.ServeHTTP(w, r)
				return
			}
			w.Header()["Ratelimit-Policy"] = policy
			SetHeader(w, "Ratelimit", v.text())
			if v.limited {
				SetHeader(w, "Retry-After", strconv.Itoa(max(1, seconds(v.retryAfter))))
				refuse(w, r, convert.Reject(convert.RateLimited,
					"This IP address has used up its requests for now.",
					"Wait for the number of seconds in Retry-After, then try again. A pipeline runs several tools in one request."))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// seconds rounds up, so that a client that waits this long passes.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
