package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// client posts spans to a collector, as Protocol Buffers over HTTP (OTLP 1.9). It implements otlptrace.Client.
// OpenTelemetry's own client of this protocol (otlptracehttp 1.47) links all of gRPC, client and server, and templates,
// for which the linker keeps unused methods: the stripped program grows from 22.0 to 33.5 MB.
type client struct {
	http    *http.Client
	address string
	header  http.Header
	gzip    bool
	longest time.Duration // for one batch, including retries
}

// Limits of a collector's response and of the attempts for one batch.
const (
	answerBytes = 64 << 10
	triesLast   = time.Minute
)

// setting returns a variable of the exporter and its name. The one for traces takes precedence.
func setting(name string) (value, variable string) {
	for _, variable := range []string{"OTEL_EXPORTER_OTLP_TRACES_" + name, "OTEL_EXPORTER_OTLP_" + name} {
		if value := os.Getenv(variable); value != "" {
			return value, variable
		}
	}
	return "", ""
}

// newClient reads the variables of OpenTelemetry's Protocol Exporter specification: ENDPOINT, HEADERS, TIMEOUT,
// COMPRESSION, CERTIFICATE, CLIENT_CERTIFICATE with CLIENT_KEY, and PROTOCOL, which must be http/protobuf. An error
// names the variable but not its value, which may be a secret.
func newClient() (*client, error) {
	c := &client{header: http.Header{}, longest: triesLast}
	if value, variable := setting("PROTOCOL"); value != "" && value != "http/protobuf" {
		return nil, errors.New(variable + " must be http/protobuf")
	}
	compression, variable := setting("COMPRESSION")
	if c.gzip = compression == "gzip"; !c.gzip && compression != "" && compression != "none" {
		return nil, errors.New(variable + " must be gzip or none")
	}
	timeout := 10 * time.Second
	if value, variable := setting("TIMEOUT"); value != "" {
		milliseconds, err := strconv.Atoi(value)
		if err != nil || milliseconds < 1 {
			return nil, errors.New(variable + " must be a number of milliseconds")
		}
		timeout = time.Duration(milliseconds) * time.Millisecond
	}
	trust, err := trusted()
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = trust
	c.http = &http.Client{Transport: transport, Timeout: timeout}
	if c.address, err = endpoint(); err != nil {
		return nil, err
	}
	return c, c.readHeaders()
}

// endpoint returns the URL for posting traces: the traces endpoint as it is, or
// the general endpoint with the path of traces appended.
func endpoint() (string, error) {
	value, variable := setting("ENDPOINT")
	if value == "" {
		return "http://localhost:4318/v1/traces", nil
	}
	address, err := url.Parse(value)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		return "", errors.New(variable + " must be a URL that begins with http:// or https://")
	}
	if variable == "OTEL_EXPORTER_OTLP_ENDPOINT" {
		address = address.JoinPath("v1", "traces")
	}
	return address.String(), nil
}

// readHeaders reads comma-separated pairs NAME=VALUE. The values are percent-encoded.
func (c *client) readHeaders() error {
	value, variable := setting("HEADERS")
	for pair := range strings.SplitSeq(value, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, text, found := strings.Cut(pair, "=")
		text, err := url.PathUnescape(strings.TrimSpace(text))
		if !found || err != nil {
			return errors.New(variable + " must be NAME=VALUE, with commas between several")
		}
		c.header.Set(strings.TrimSpace(name), text)
	}
	return nil
}

// trusted returns the TLS configuration: the collector's certificate authorities and the client's certificate.
func trusted() (*tls.Config, error) {
	config := &tls.Config{}
	if file, variable := setting("CERTIFICATE"); file != "" {
		config.RootCAs = x509.NewCertPool()
		if text, err := os.ReadFile(file); err != nil || !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, errors.New(variable + " must name a file of certificates in PEM")
		}
	}
	certificate, _ := setting("CLIENT_CERTIFICATE")
	key, _ := setting("CLIENT_KEY")
	if certificate != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(certificate, key)
		if err != nil {
			return nil, errors.New("OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and _KEY must name files of a certificate and its key in PEM")
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}

// Start implements otlptrace.Client.
func (c *client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client: it posts the spans, and retries if
// the collector requests it or could not be reached.
func (c *client) UploadTraces(ctx context.Context, spans []*otlp.ResourceSpans) error {
	// On the wire, TracesData is ExportTraceServiceRequest.
	body, err := proto.Marshal(&otlp.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	if c.gzip {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		_, _ = w.Write(body) // a Buffer accepts everything
		_ = w.Close()
		body = packed.Bytes()
	}
	_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, c.post(ctx, body) }, backoff.WithMaxElapsedTime(c.longest))
	return err
}

// post sends a body once. Its error is a backoff.PermanentError if a retry would
// have the same result (OTLP 1.9, "Failures").
func (c *client) post(ctx context.Context, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(err)
	}
	r.Header = c.header.Clone()
	r.Header.Set("Content-Type", "application/x-protobuf")
	if c.gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	response, err := c.http.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, answerBytes))
	switch response.StatusCode {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil && seconds > 0 {
			return backoff.RetryAfter(seconds)
		}
		return errors.New("the collector is unavailable")
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return backoff.Permanent(fmt.Errorf("the collector returned status %d", response.StatusCode))
	}
	// A response without a partial_success is empty, or two bytes if it is written nevertheless.
	if err == nil && response.Header.Get("Content-Type") == "application/x-protobuf" && len(text) > 2 {
		return backoff.Permanent(errors.New("the collector rejected some spans, or warned about them"))
	}
	return nil
}
