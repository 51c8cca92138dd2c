package cluster

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

const good = `{"input":{"mediaType":"application/json","value":"[1]"}}`

// post makes a call with a forged address in the headers and returns its status.
func post(t *testing.T, client *http.Client, url, forged string) int {
	t.Helper()
	r := check.Value(http.NewRequest(http.MethodPost, url+"/v1/tools/json_format", strings.NewReader(good)))(t)
	r.Host = "convert.example.com"
	r.Header.Set("Content-Type", "application/json")
	if forged != "" {
		r.Header.Set("X-Forwarded-For", forged)
		r.Header.Set("Forwarded", "for="+forged)
		r.Header.Set("X-Real-IP", forged)
	}
	response := check.Value(client.Do(r))(t)
	response.Body.Close()
	return response.StatusCode
}

// passed makes n calls from an address and returns how many were not rejected.
func passed(t *testing.T, n int, from, url string, forged func(i int) string) (passed int) {
	t.Helper()
	client := daemon.Client(t, from)
	for i := range n {
		switch status := post(t, client, url, forged(i)); status {
		case http.StatusOK:
			passed++
		case http.StatusTooManyRequests:
		default:
			t.Errorf("status %d", status)
		}
	}
	return passed
}

func (c *cluster) fallbacks(t *testing.T) (n int) {
	for _, replica := range c.replicas {
		n += int(replica.Metric(t, "convertd_shared_quota_fallbacks_total"))
	}
	return n
}

// TestQuotaIsShared checks that three replicas share one quota per client, whatever address a client claims to have.
func TestQuotaIsShared(t *testing.T) {
	const quota = 60
	eachProxy(t, quota, func(t *testing.T, c *cluster) {
		honest := func(int) string { return "" }
		forging := func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }
		for _, test := range []struct {
			name, client string
			forged       func(int) string
		}{
			{"honest", "127.0.2.1", honest},
			{"forging", "127.0.2.2", forging},
			{"claiming to be the proxy", "127.0.2.3", func(int) string { return "127.0.0.1" }},
		} {
			before := c.fallbacks(t)
			passed := passed(t, 3*quota, test.client, c.url, test.forged)
			alone := c.fallbacks(t) - before
			t.Logf("%s: %d of %d passed; %d were counted without Redis", test.name, passed, 3*quota, alone)
			if passed < quota || passed >= 2*quota+alone { // three quotas would be all calls; one call a second refills
				t.Errorf("%s: %d passed", test.name, passed)
			}
		}
		// A replica ignores the claims of a client that does not come through the proxy.
		past := passed(t, 3*quota, "127.0.2.4", c.replicas[0].URL, forging)
		if past >= 2*quota+c.fallbacks(t) {
			t.Errorf("past the proxy: %d passed", past)
		}
		for i, replica := range c.replicas {
			if replica.Metric(t, "convertd_requests_total", `route="/v1/tools/json_format"`) == 0 {
				t.Errorf("replica %d got no call", i)
			}
		}
	})
}
