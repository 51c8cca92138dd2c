package tracing

import (
	"compress/gzip"
	"context"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/convertd/convertd/internal/check"
)

// sent is one request of the client, as the collector sees it.
type sent struct{ path, key, coding, name string }

// collector responds with these handlers in turn, repeating the last one, and records the requests.
func collector(t *testing.T, secure bool, responses ...func(w http.ResponseWriter)) (*httptest.Server, *[]sent) {
	t.Helper()
	got := &[]sent{}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := io.Reader(r.Body)
		if r.Header.Get("Content-Encoding") == "gzip" {
			body, _ = gzip.NewReader(r.Body)
		}
		text, _ := io.ReadAll(body)
		var spans otlp.TracesData
		if err := proto.Unmarshal(text, &spans); err != nil || len(spans.ResourceSpans) != 1 || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("%v: %q", err, text)
			return
		}
		*got = append(*got, sent{r.URL.Path, r.Header.Get("Api-Key"), r.Header.Get("Content-Encoding"), spans.ResourceSpans[0].SchemaUrl})
		responses[min(len(*got), len(responses))-1](w)
	}))
	if server.Start(); secure {
		server.Close()
		server = httptest.NewTLSServer(server.Config.Handler)
	}
	t.Cleanup(server.Close)
	return server, got
}

func status(code int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { w.WriteHeader(code) }
}

var spans = []*otlp.ResourceSpans{{SchemaUrl: "mine"}}

// TestClient checks that spans are sent where and how the variables say.
func TestClient(t *testing.T) {
	for name, test := range map[string]struct {
		variables map[string]string
		want      sent
	}{
		"the base":          {map[string]string{"ENDPOINT": "/", "HEADERS": "api-key=a%20b,x=y"}, sent{"/v1/traces", "a b", "", "mine"}},
		"a base below":      {map[string]string{"ENDPOINT": "/otlp/", "COMPRESSION": "gzip"}, sent{"/otlp/v1/traces", "", "gzip", "mine"}},
		"traces' own":       {map[string]string{"ENDPOINT": "/wrong", "TRACES_ENDPOINT": "/v9", "TRACES_HEADERS": "Api-Key=k", "HEADERS": "Api-Key=wrong"}, sent{"/v9", "k", "", "mine"}},
		"a long time to do": {map[string]string{"ENDPOINT": "", "TIMEOUT": "60000", "PROTOCOL": "http/protobuf"}, sent{"/v1/traces", "", "", "mine"}},
	} {
		t.Run(name, func(t *testing.T) {
			server, got := collector(t, false, status(200))
			for variable, value := range test.variables {
				if strings.HasSuffix(variable, "ENDPOINT") {
					value = server.URL + value
				}
				t.Setenv("OTEL_EXPORTER_OTLP_"+variable, value)
			}
			c := check.Value(newClient())(t)
			if err := c.UploadTraces(context.Background(), spans); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff([]sent{test.want}, *got, cmp.AllowUnexported(sent{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestClientTLS checks that the collector must have a certificate that the variables trust.
func TestClientTLS(t *testing.T) {
	server, got := collector(t, true, status(200))
	file := filepath.Join(t.TempDir(), "ca.pem")
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	check.OK(t, os.WriteFile(file, certificate, 0o600))
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
	for want, trust := range []string{"", file} { // number of requests by then
		t.Setenv("OTEL_EXPORTER_OTLP_CERTIFICATE", trust)
		c := check.Value(newClient())(t)
		c.longest = time.Millisecond
		if err := c.UploadTraces(context.Background(), spans); (err == nil) != (want == 1) || len(*got) != want {
			t.Errorf("trusting %q: %v, %d requests", trust, err, len(*got))
		}
	}
}

// TestFailures checks that temporary failures are retried and permanent ones are
// not, and that spans that the collector rejects are reported.
func TestFailures(t *testing.T) {
	reports := func(partialSuccess string) []func(http.ResponseWriter) {
		return []func(http.ResponseWriter){func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, _ = io.WriteString(w, partialSuccess)
		}}
	}
	for name, test := range map[string]struct {
		responses []func(http.ResponseWriter)
		tries     int
		good      bool
	}{
		"no time":        {[]func(http.ResponseWriter){status(503), status(200)}, 2, true},
		"too much":       {[]func(http.ResponseWriter){status(429), status(200)}, 2, true},
		"between":        {[]func(http.ResponseWriter){status(502), status(504), status(200)}, 3, true},
		"wrong":          {[]func(http.ResponseWriter){status(400), status(200)}, 1, false},
		"redirected":     {[]func(http.ResponseWriter){status(304), status(200)}, 1, false},
		"some dropped":   {reports("\x0a\x02\x08\x03"), 1, false},
		"none dropped":   {reports("\x0a\x00"), 1, true},
		"nothing to say": {reports(""), 1, true},
	} {
		server, got := collector(t, false, test.responses...)
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", server.URL)
		c := check.Value(newClient())(t)
		if err := c.UploadTraces(context.Background(), spans); (err == nil) != test.good || len(*got) != test.tries {
			t.Errorf("%s: %v after %d tries", name, err, len(*got))
		}
	}
}

// TestVariables checks that the error for an invalid value does not repeat it.
func TestVariables(t *testing.T) {
	for variable, value := range map[string]string{
		"ENDPOINT": "secret:1", "TRACES_ENDPOINT": "ftp://secret", "HEADERS": "secret", "TRACES_HEADERS": "secret=%zz", "TIMEOUT": "secret", "COMPRESSION": "secret",
		"PROTOCOL": "grpc", "CERTIFICATE": "secret", "CLIENT_CERTIFICATE": "secret", "TRACES_CLIENT_KEY": "secret",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_"+variable, value)
			if _, err := newClient(); err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), " must ") {
				t.Error(err)
			}
		})
	}
}
