package curlcmd

import (
	"slices"
	"strings"
)

// option is one option of curl's command line.
type option struct {
	name  string
	short byte // 0: none
	kind  optionKind
	// told is the feature of the note that using the option leaves; "" for
	// those that only concern output, time and effort.
	told   string
	secret bool // the argument holds a secret, or may
	// apply takes the option into the operation. Options without it become
	// a Setting.
	apply func(*operation, use)
}

type optionKind uint8

const (
	flag  optionKind = iota // --name, --no-name
	once                    // --name only
	value                   // --name argument
)

// use is an option as it stands in a command.
type use struct {
	*option
	arg string
	on  bool // false for --no-name
}

// The features that several options share.
const (
	proxied    = "proxy"
	trusted    = "ca_certificate"
	certified  = "client_certificate"
	secured    = "tls"
	connected  = "connection"
	resolved   = "name_resolution"
	redirected = "redirects"
	signed     = "request_signature"
	machine    = "netrc"
	detailed   = "authentication"
)

// options are those of curl 8.22 and the spellings that it and older releases
// still accept, sorted by name. See docs/cmdline-opts of curl for each.
var options = []option{
	{name: "abstract-unix-socket", kind: value, told: connected},
	{name: "alpn"},
	{name: "alt-svc", kind: value},
	{name: "anyauth", apply: (*operation).auth},
	{name: "append", short: 'a'},
	{name: "aws-sigv4", kind: value, apply: (*operation).auth},
	{name: "basic", apply: (*operation).auth},
	{name: "buffer"},
	{name: "ca-native", told: trusted},
	{name: "cacert", kind: value, told: trusted},
	{name: "capath", kind: value, told: trusted},
	{name: "cert", short: 'E', kind: value, told: certified, secret: true},
	{name: "cert-status", told: trusted},
	{name: "cert-type", kind: value, told: certified},
	{name: "ciphers", kind: value, told: secured},
	{name: "clobber"},
	{name: "compressed"},
	{name: "compressed-ssh"},
	{name: "config", short: 'K', kind: value, told: "config_file"},
	{name: "connect-timeout", kind: value},
	{name: "connect-to", kind: value, told: connected},
	{name: "continue-at", short: 'C', kind: value, apply: (*operation).continueAt},
	{name: "cookie", short: 'b', kind: value, apply: (*operation).cookie},
	{name: "cookie-jar", short: 'c', kind: value},
	{name: "create-dirs"},
	{name: "create-file-mode", kind: value},
	{name: "crlf", told: "line_endings"},
	{name: "crlfile", kind: value, told: trusted},
	{name: "curves", kind: value, told: secured},
	{name: "data", short: 'd', kind: value, apply: (*operation).data},
	{name: "data-ascii", kind: value, apply: (*operation).data},
	{name: "data-binary", kind: value, apply: (*operation).data},
	{name: "data-raw", kind: value, apply: (*operation).data},
	{name: "data-urlencode", kind: value, apply: (*operation).data},
	{name: "delegation", kind: value, told: detailed},
	{name: "digest", apply: (*operation).auth},
	{name: "disable", short: 'q'},
	{name: "disable-eprt"},
	{name: "disable-epsv"},
	{name: "disallow-username-in-url"},
	{name: "dns-interface", kind: value, told: resolved},
	{name: "dns-ipv4-addr", kind: value, told: resolved},
	{name: "dns-ipv6-addr", kind: value, told: resolved},
	{name: "dns-servers", kind: value, told: resolved},
	{name: "doh-cert-status", told: resolved},
	{name: "doh-insecure", told: resolved},
	{name: "doh-url", kind: value, told: resolved},
	{name: "dump-ca-embed", kind: once, apply: (*operation).help},
	{name: "dump-header", short: 'D', kind: value},
	{name: "ech", kind: value, told: secured},
	{name: "egd-file", kind: value},
	{name: "engine", kind: value, told: certified},
	{name: "eprt"},
	{name: "epsv"},
	{name: "etag-compare", kind: value, told: "etag"},
	{name: "etag-save", kind: value},
	{name: "expect100-timeout", kind: value},
	{name: "fail", short: 'f'},
	{name: "fail-early"},
	{name: "fail-with-body"},
	{name: "false-start", told: secured},
	{name: "follow", told: redirected},
	{name: "form", short: 'F', kind: value, apply: (*operation).form},
	{name: "form-escape"},
	{name: "form-string", kind: value, apply: (*operation).form},
	{name: "ftp-account", kind: value, secret: true},
	{name: "ftp-alternative-to-user", kind: value},
	{name: "ftp-create-dirs"},
	{name: "ftp-method", kind: value},
	{name: "ftp-pasv"},
	{name: "ftp-port", short: 'P', kind: value},
	{name: "ftp-pret"},
	{name: "ftp-skip-pasv-ip"},
	{name: "ftp-ssl"},
	{name: "ftp-ssl-ccc"},
	{name: "ftp-ssl-ccc-mode", kind: value},
	{name: "ftp-ssl-control"},
	{name: "ftp-ssl-reqd"},
	{name: "get", short: 'G', apply: (*operation).toggle},
	{name: "globoff", short: 'g', apply: (*operation).toggle},
	{name: "happy-eyeballs-timeout-ms", kind: value},
	{name: "haproxy-clientip", kind: value, told: "haproxy_protocol"},
	{name: "haproxy-protocol", told: "haproxy_protocol"},
	{name: "head", short: 'I', apply: (*operation).toggle},
	{name: "header", short: 'H', kind: value, apply: (*operation).header},
	{name: "help", short: 'h', apply: (*operation).help},
	{name: "hostpubmd5", kind: value},
	{name: "hostpubsha256", kind: value},
	{name: "hsts", kind: value, told: "hsts"},
	{name: "http0.9"},
	{name: "http1.0", short: '0', kind: once},
	{name: "http1.1", kind: once},
	{name: "http2", kind: once},
	{name: "http2-prior-knowledge", kind: once},
	{name: "http3", kind: once},
	{name: "http3-only", kind: once},
	{name: "httpsig", kind: value, told: signed},
	{name: "httpsig-headers", kind: value, told: signed},
	{name: "httpsig-key", kind: value, told: signed},
	{name: "httpsig-keyid", kind: value, told: signed},
	{name: "ignore-content-length"},
	{name: "include"},
	{name: "insecure", short: 'k', told: "insecure"},
	{name: "interface", kind: value, told: connected},
	{name: "ip-tos", kind: value},
	{name: "ipfs-gateway", kind: value, told: connected},
	{name: "ipv4", short: '4', kind: once},
	{name: "ipv6", short: '6', kind: once},
	{name: "json", kind: value, apply: (*operation).data},
	{name: "junk-session-cookies", short: 'j'},
	{name: "keepalive"},
	{name: "keepalive-cnt", kind: value},
	{name: "keepalive-time", kind: value},
	{name: "key", kind: value, told: certified},
	{name: "key-type", kind: value, told: certified},
	{name: "knownhosts", kind: value},
	{name: "krb", kind: value, told: detailed},
	{name: "krb4", kind: value, told: detailed},
	{name: "libcurl", kind: value},
	{name: "limit-rate", kind: value},
	{name: "list-only", short: 'l'},
	{name: "local-port", kind: value, told: connected},
	{name: "location", short: 'L', told: redirected},
	{name: "location-trusted", told: "redirects_trusted"},
	{name: "login-options", kind: value, told: detailed},
	{name: "mail-auth", kind: value},
	{name: "mail-from", kind: value},
	{name: "mail-rcpt", kind: value},
	{name: "mail-rcpt-allowfails"},
	{name: "manual", short: 'M', apply: (*operation).help},
	{name: "max-filesize", kind: value},
	{name: "max-redirs", kind: value},
	{name: "max-time", short: 'm', kind: value},
	{name: "metalink"},
	{name: "mptcp"},
	{name: "negotiate", apply: (*operation).auth},
	{name: "netrc", short: 'n', told: machine},
	{name: "netrc-file", kind: value, told: machine},
	{name: "netrc-optional", told: machine},
	{name: "next", short: ':', kind: once}, // see operation.read
	{name: "no-buffer", short: 'N', kind: once},
	{name: "noproxy", kind: value},
	{name: "npn"},
	{name: "ntlm", apply: (*operation).auth},
	{name: "ntlm-wb", apply: (*operation).auth},
	{name: "oauth2-bearer", kind: value, apply: (*operation).auth},
	{name: "out-null"},
	{name: "output", short: 'o', kind: value},
	{name: "output-dir", kind: value},
	{name: "parallel", short: 'Z'},
	{name: "parallel-immediate"},
	{name: "parallel-max", kind: value},
	{name: "parallel-max-host", kind: value},
	{name: "pass", kind: value, told: certified, secret: true},
	{name: "path-as-is", apply: (*operation).toggle},
	{name: "pinnedpubkey", kind: value, told: trusted},
	{name: "post301"},
	{name: "post302"},
	{name: "post303"},
	{name: "preproxy", kind: value, told: proxied, secret: true},
	{name: "progress-bar", short: '#'},
	{name: "progress-meter"},
	{name: "proto", kind: value},
	{name: "proto-default", kind: value, apply: (*operation).text},
	{name: "proto-redir", kind: value},
	{name: "proxy", short: 'x', kind: value, told: proxied, secret: true},
	{name: "proxy-anyauth", told: proxied},
	{name: "proxy-basic", told: proxied},
	{name: "proxy-ca-native", told: proxied},
	{name: "proxy-cacert", kind: value, told: proxied},
	{name: "proxy-capath", kind: value, told: proxied},
	{name: "proxy-cert", kind: value, told: proxied, secret: true},
	{name: "proxy-cert-type", kind: value, told: proxied},
	{name: "proxy-ciphers", kind: value, told: proxied},
	{name: "proxy-crlfile", kind: value, told: proxied},
	{name: "proxy-digest", told: proxied},
	{name: "proxy-header", kind: value, told: proxied, secret: true},
	{name: "proxy-http2", told: proxied},
	{name: "proxy-http3", told: proxied},
	{name: "proxy-insecure", told: proxied},
	{name: "proxy-key", kind: value, told: proxied},
	{name: "proxy-key-type", kind: value, told: proxied},
	{name: "proxy-negotiate", told: proxied},
	{name: "proxy-ntlm", told: proxied},
	{name: "proxy-pass", kind: value, told: proxied, secret: true},
	{name: "proxy-pinnedpubkey", kind: value, told: proxied},
	{name: "proxy-service-name", kind: value, told: proxied},
	{name: "proxy-ssl-allow-beast", told: proxied},
	{name: "proxy-ssl-auto-client-cert", told: proxied},
	{name: "proxy-tls13-ciphers", kind: value, told: proxied},
	{name: "proxy-tlsauthtype", kind: value, told: proxied},
	{name: "proxy-tlspassword", kind: value, told: proxied, secret: true},
	{name: "proxy-tlsuser", kind: value, told: proxied},
	{name: "proxy-tlsv1", kind: once, told: proxied},
	{name: "proxy-user", short: 'U', kind: value, told: proxied, secret: true},
	{name: "proxy1.0", kind: value, told: proxied, secret: true},
	{name: "proxytunnel", short: 'p', told: proxied},
	{name: "pubkey", kind: value},
	{name: "quote", short: 'Q', kind: value},
	{name: "random-file", kind: value},
	{name: "range", short: 'r', kind: value, apply: (*operation).text},
	{name: "rate", kind: value},
	{name: "raw"},
	{name: "referer", short: 'e', kind: value, apply: (*operation).text},
	{name: "remote-header-name", short: 'J'},
	{name: "remote-name", short: 'O'},
	{name: "remote-name-all"},
	{name: "remote-time", short: 'R'},
	{name: "remove-on-error"},
	{name: "request", short: 'X', kind: value, apply: (*operation).text},
	{name: "request-target", kind: value, told: "request_target"},
	{name: "resolve", kind: value, told: resolved},
	{name: "retry", kind: value},
	{name: "retry-all-errors"},
	{name: "retry-connrefused"},
	{name: "retry-delay", kind: value},
	{name: "retry-max-time", kind: value},
	{name: "sasl-authzid", kind: value, told: detailed},
	{name: "sasl-ir"},
	{name: "service-name", kind: value, told: detailed},
	{name: "sessionid"},
	{name: "show-error", short: 'S'},
	{name: "show-headers", short: 'i'},
	{name: "sigalgs", kind: value, told: secured},
	{name: "silent", short: 's'},
	{name: "skip-existing"},
	{name: "socks4", kind: value, told: proxied, secret: true},
	{name: "socks4a", kind: value, told: proxied, secret: true},
	{name: "socks5", kind: value, told: proxied, secret: true},
	{name: "socks5-basic", told: proxied},
	{name: "socks5-gssapi", told: proxied},
	{name: "socks5-gssapi-nec", told: proxied},
	{name: "socks5-gssapi-service", kind: value, told: proxied},
	{name: "socks5-hostname", kind: value, told: proxied, secret: true},
	{name: "speed-limit", short: 'Y', kind: value},
	{name: "speed-time", short: 'y', kind: value},
	{name: "ssl"},
	{name: "ssl-allow-beast", told: secured},
	{name: "ssl-auto-client-cert", told: certified},
	{name: "ssl-no-revoke", told: secured},
	{name: "ssl-reqd"},
	{name: "ssl-revoke-best-effort", told: secured},
	{name: "ssl-sessions", kind: value},
	{name: "sslv2", short: '2', kind: once, told: secured},
	{name: "sslv3", short: '3', kind: once, told: secured},
	{name: "stderr", kind: value},
	{name: "styled-output"},
	{name: "suppress-connect-headers"},
	{name: "tcp-fastopen"},
	{name: "tcp-nodelay"},
	{name: "telnet-option", short: 't', kind: value},
	{name: "tftp-blksize", kind: value},
	{name: "tftp-no-options"},
	{name: "time-cond", short: 'z', kind: value, told: "time_condition"},
	{name: "tls-earlydata", told: secured},
	{name: "tls-max", kind: value, told: secured},
	{name: "tls13-ciphers", kind: value, told: secured},
	{name: "tlsauthtype", kind: value, told: certified},
	{name: "tlspassword", kind: value, told: certified, secret: true},
	{name: "tlsuser", kind: value, told: certified},
	{name: "tlsv1", short: '1', kind: once, told: secured},
	{name: "tlsv1.0", kind: once, told: secured},
	{name: "tlsv1.1", kind: once, told: secured},
	{name: "tlsv1.2", kind: once, told: secured},
	{name: "tlsv1.3", kind: once, told: secured},
	{name: "tr-encoding", told: "transfer_encoding"},
	{name: "trace", kind: value},
	{name: "trace-ascii", kind: value},
	{name: "trace-config", kind: value},
	{name: "trace-ids"},
	{name: "trace-time"},
	{name: "unix-socket", kind: value, told: connected},
	{name: "upload-file", short: 'T', kind: value, apply: (*operation).upload},
	{name: "upload-flags", kind: value},
	{name: "url", kind: value, apply: (*operation).url},
	{name: "url-query", kind: value, apply: (*operation).urlQuery},
	{name: "use-ascii", short: 'B'},
	{name: "user", short: 'u', kind: value, apply: (*operation).text},
	{name: "user-agent", short: 'A', kind: value, apply: (*operation).text},
	{name: "variable", kind: value, apply: (*operation).variable},
	{name: "verbose", short: 'v'},
	{name: "version", short: 'V', apply: (*operation).help},
	{name: "vlan-priority", kind: value},
	{name: "write-out", short: 'w', kind: value},
	{name: "xattr"},
}

// byShort finds the options with a short letter.
var byShort = func() (table [128]*option) {
	for i := range options {
		if c := options[i].short; c != 0 {
			table[c] = &options[i]
		}
	}
	return table
}()

// longOption finds an option by its long name. As curl before 8.10 did, it
// takes the beginning of a name when only one option begins so.
func longOption(name string) *option {
	i, found := slices.BinarySearchFunc(options, name, func(o option, name string) int {
		return strings.Compare(o.name, name)
	})
	if found {
		return &options[i]
	}
	begins := func(i int) bool { return i < len(options) && strings.HasPrefix(options[i].name, name) }
	if name != "" && begins(i) && !begins(i+1) {
		return &options[i]
	}
	return nil
}
