// Package server assembles the service: it turns a configuration into one
// http.Handler and runs it from start to graceful stop.
package server

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/guard"
)

// Config is the operator's configuration. Its zero value is not usable; the command line fills in the defaults.
type Config struct {
	Listen         string        // host and port of the service
	AdminListen    string        // host and port of the admin listener, "" disables it
	BaseURL        string        // public URL, used in links; "" means http:// and Listen
	AllowedHosts   []string      // Host names besides loopback and BaseURL's; "*" allows all
	AllowedOrigins []string      // origins besides BaseURL's; "*" allows all
	RateLimit      int           // requests per minute and address; 0 means unlimited
	RedisURL       string        // the Redis through which replicas share the rate limit, or ""
	MaxConnections int           // open at once; 0 means unlimited
	TrustedProxies []string      // CIDRs whose X-Forwarded-For is trusted
	Traces         bool          // OpenTelemetry traces, set by OTEL_ variables
	WorkSlots      int           // calls that run at once
	QueueWait      time.Duration // how long a call may wait for a slot
	BodyTimeout    time.Duration // for a request's body
	ExecTimeout    time.Duration // for one tool call
	Provider       string        // the provenance's provider
	Version        string        // SemVer of the build

	// MemoryLimit returns Go's memory limit with this many open connections; nil leaves the limit unchanged.
	MemoryLimit func(connections int) int64

	// SecurityContact is a URI for reporting vulnerabilities (RFC 9116, section
	// 2.5.3); without it there is no /.well-known/security.txt.
	SecurityContact string

	proxies []netip.Prefix // TrustedProxies, parsed
}

// A ConfigError names the flag whose value is wrong.
type ConfigError struct {
	Flag, Problem string
}

func (e *ConfigError) Error() string { return "--" + e.Flag + ": " + e.Problem }

// Check rejects invalid values with a *ConfigError.
func (c Config) Check() error {
	_, err := c.complete()
	return err
}

// complete validates the configuration, fills in derived values and returns the public URL.
func (c *Config) complete() (*url.URL, error) {
	host, port, err := splitAddress("listen", c.Listen, "127.0.0.1:8080 or :8080")
	if err != nil {
		return nil, err
	}
	if c.AdminListen != "" {
		if _, _, err := splitAddress("admin-listen", c.AdminListen, "127.0.0.1:9090"); err != nil {
			return nil, err
		}
	}
	if c.BaseURL == "" {
		if host == "" || host == "0.0.0.0" || host == "::" {
			host = "127.0.0.1"
		}
		host, _, _ = strings.Cut(host, "%") // a zone names an interface of this machine
		c.BaseURL = "http://" + net.JoinHostPort(host, port)
	}
	base, err := guard.BaseURL(c.BaseURL)
	if err != nil {
		return nil, &ConfigError{"base-url", err.Error()}
	}
	c.BaseURL = base.String()
	for _, host := range c.AllowedHosts {
		if err := guard.Host(host); err != nil {
			return nil, &ConfigError{"allowed-hosts", fmt.Sprintf("%q %v", host, err)}
		}
	}
	for _, origin := range c.AllowedOrigins {
		if origin == "*" {
			continue
		}
		if _, err := guard.Origin(origin); err != nil {
			return nil, &ConfigError{"allowed-origins", fmt.Sprintf("%q %v", origin, err)}
		}
	}
	for _, proxy := range c.TrustedProxies {
		network, err := netip.ParsePrefix(proxy)
		if err != nil {
			return nil, &ConfigError{"trusted-proxies", fmt.Sprintf("%q is not a network such as 10.0.0.0/8", proxy)}
		}
		c.proxies = append(c.proxies, network)
	}
	if err := checkContact(c.SecurityContact); err != nil {
		return nil, err
	}
	return base, c.checkNumbers()
}

func splitAddress(flag, address, example string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(address)
	if err != nil {
		return "", "", &ConfigError{flag, "must be ADDRESS:PORT, such as " + example}
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", "", &ConfigError{flag, "the port must be a number from 0 to 65535"}
	}
	return host, port, nil
}

func checkContact(contact string) error {
	u, err := url.Parse(contact)
	known := err == nil && (u.Scheme == "mailto" && u.Opaque != "" || u.Scheme == "tel" && u.Opaque != "" || u.Scheme == "https" && u.Host != "")
	foreign := strings.ContainsFunc(contact, func(r rune) bool { return r <= ' ' || r > '~' }) // RFC 3986, section 2
	if contact != "" && (!known || foreign) {
		return &ConfigError{"security-contact", "must be a URI such as mailto:security@example.com or https://example.com/security"}
	}
	return nil
}

func (c *Config) checkNumbers() error {
	switch {
	case c.RateLimit < 0 || c.RateLimit > 1_000_000:
		return &ConfigError{"rate-limit", "must be 0 (off) to 1000000 requests a minute"}
	case c.MaxConnections != 0 && c.MaxConnections < 16 || c.MaxConnections > 1_000_000:
		return &ConfigError{"max-connections", "must be 16 to 1000000, or 0 for no limit"}
	case len(c.Provider) > 200: // the document limits its length, and the links'
		return &ConfigError{"provider", "must be at most 200 bytes"}
	case !utf8.ValidString(c.Provider):
		return &ConfigError{"provider", "must be UTF-8"}
	case len(c.BaseURL) > 2048:
		return &ConfigError{"base-url", "must be at most 2048 bytes"}
	case c.WorkSlots < 1 || c.WorkSlots > 10_000:
		return &ConfigError{"work-slots", "must be 1 to 10000"}
	}
	for _, d := range []struct {
		flag  string
		value time.Duration
		min   time.Duration
	}{{"queue-wait", c.QueueWait, 0}, {"body-timeout", c.BodyTimeout, time.Millisecond}, {"exec-timeout", c.ExecTimeout, time.Millisecond}} {
		if d.value < d.min || d.value > time.Hour {
			return &ConfigError{d.flag, fmt.Sprintf("must be a duration from %v to 1h, such as 2s or 500ms", d.min)}
		}
	}
	return nil
}

// onLoopback reports whether the service listens on loopback only.
func (c *Config) onLoopback() bool {
	host, _, _ := net.SplitHostPort(c.Listen)
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}
