package curlcmd

import (
	"slices"
	"strings"
	"sync"
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

// listed are the options of curl 8.22 and the spellings that it and older
// releases still accept, each behind the feature that is told of it: name,
// name/letter, with = where it takes an argument, =* where that may be a
// secret, ! where there is no --no-name. See docs/cmdline-opts of curl for each.
const listed = `
: alpn alt-svc= anyauth append/a aws-sigv4= basic buffer clobber compressed compressed-ssh connect-timeout=
  continue-at/C= cookie/b= cookie-jar/c= create-dirs create-file-mode= data/d= data-ascii= data-binary= data-raw=
  data-urlencode= digest disable/q disable-eprt disable-epsv disallow-username-in-url dump-ca-embed! dump-header/D=
  egd-file= eprt epsv etag-save= expect100-timeout= fail/f fail-early fail-with-body form/F= form-escape
  form-string= ftp-account=* ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv ftp-port/P= ftp-pret
  ftp-skip-pasv-ip ftp-ssl ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control ftp-ssl-reqd get/G globoff/g
  happy-eyeballs-timeout-ms= head/I header/H= help/h hostpubmd5= hostpubsha256= http0.9 http1.0/0! http1.1! http2!
  http2-prior-knowledge! http3! http3-only! ignore-content-length include ip-tos= ipv4/4! ipv6/6! json=
  junk-session-cookies/j keepalive keepalive-cnt= keepalive-time= knownhosts= libcurl= limit-rate= list-only/l
  mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails manual/M max-filesize= max-redirs= max-time/m= metalink
  mptcp negotiate next/:! no-buffer/N! noproxy= npn ntlm ntlm-wb oauth2-bearer= out-null output/o= output-dir=
  parallel/Z parallel-immediate parallel-max= parallel-max-host= path-as-is post301 post302 post303 progress-bar/#
  progress-meter proto= proto-default= proto-redir= pubkey= quote/Q= random-file= range/r= rate= raw referer/e=
  remote-header-name/J remote-name/O remote-name-all remote-time/R remove-on-error request/X= retry=
  retry-all-errors retry-connrefused retry-delay= retry-max-time= sasl-ir sessionid show-error/S show-headers/i
  silent/s skip-existing speed-limit/Y= speed-time/y= ssl ssl-reqd ssl-sessions= stderr= styled-output
  suppress-connect-headers tcp-fastopen tcp-nodelay telnet-option/t= tftp-blksize= tftp-no-options trace=
  trace-ascii= trace-config= trace-ids trace-time upload-file/T= upload-flags= url= url-query= use-ascii/B user/u=
  user-agent/A= variable= verbose/v version/V vlan-priority= write-out/w= xattr
authentication: delegation= krb= krb4= login-options= sasl-authzid= service-name=
ca_certificate: ca-native cacert= capath= cert-status crlfile= pinnedpubkey=
client_certificate: cert/E=* cert-type= engine= key= key-type= pass=* ssl-auto-client-cert tlsauthtype=
  tlspassword=* tlsuser=
config_file: config/K=
connection: abstract-unix-socket= connect-to= interface= ipfs-gateway= local-port= unix-socket=
etag: etag-compare=
haproxy_protocol: haproxy-clientip= haproxy-protocol
hsts: hsts=
insecure: insecure/k
line_endings: crlf
name_resolution: dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url=
  resolve=
netrc: netrc/n netrc-file= netrc-optional
proxy: preproxy=* proxy/x=* proxy-anyauth proxy-basic proxy-ca-native proxy-cacert= proxy-capath= proxy-cert=*
  proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header=* proxy-http2 proxy-http3 proxy-insecure
  proxy-key= proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass=* proxy-pinnedpubkey= proxy-service-name=
  proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword=*
  proxy-tlsuser= proxy-tlsv1! proxy-user/U=* proxy1.0=* proxytunnel/p socks4=* socks4a=* socks5=* socks5-basic
  socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= socks5-hostname=*
redirects: follow location/L
redirects_trusted: location-trusted
request_signature: httpsig= httpsig-headers= httpsig-key= httpsig-keyid=
request_target: request-target=
time_condition: time-cond/z=
tls: ciphers= curves= ech= false-start sigalgs= ssl-allow-beast ssl-no-revoke ssl-revoke-best-effort sslv2/2!
  sslv3/3! tls-earlydata tls-max= tls13-ciphers= tlsv1/1! tlsv1.0! tlsv1.1! tlsv1.2! tlsv1.3!
transfer_encoding: tr-encoding
`

// options are those listed, sorted by name.
var options = sync.OnceValue(func() []option {
	var all []option
	told := ""
	for _, word := range strings.Fields(listed) {
		if feature, ok := strings.CutSuffix(word, ":"); ok {
			told = feature
			continue
		}
		o := option{told: told}
		word, o.secret = strings.CutSuffix(word, "*")
		if text, ok := strings.CutSuffix(word, "="); ok {
			word, o.kind = text, value
		} else if text, ok := strings.CutSuffix(word, "!"); ok {
			word, o.kind = text, once
		}
		if o.name, word, _ = strings.Cut(word, "/"); word != "" {
			o.short = word[0]
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b option) int { return strings.Compare(a.name, b.name) })
	return all
})

// byShort finds the options with a short letter.
var byShort = sync.OnceValue(func() *[128]*option {
	var table [128]*option
	options := options()
	for i := range options {
		if c := options[i].short; c != 0 {
			table[c] = &options[i]
		}
	}
	return &table
})

// longOption finds an option by its long name. As curl before 8.10 did, it
// takes the beginning of a name when only one option begins so.
func longOption(name string) *option {
	options := options()
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
