package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Word is a word after curl.
type Word struct {
	Text string
	// Open reports that the word is a single unquoted variable, which may expand to any number of words, or to none.
	Open bool
	// Unknown reports that the word is "$@" or the like.
	Unknown bool
}

// NewWord returns a word of a command as a Word with the given text.
func NewWord(text string, w script.Word) Word {
	single := len(w) == 1 && w[0].Kind != script.Literal
	return Word{text, single && !w[0].Quoted, single && w[0].Kind == script.Arguments}
}

// Argument is an option with its value, or an operand, which is a URL.
type Argument struct {
	*Option        // nil for an operand or an unknown option
	Written string // the option as written, with its dashes; "" for an operand
	On      bool   // false for --no-name
	Expand  bool   // --expand-name
	Missing bool   // the option needs a value, but there is no word after it

	Word    int  // the index of the word
	Operand Word // the word, for an operand
	Letter  int  // the offset of the letter in the word, for an option of one letter

	Value     string
	ValueWord int // the index of the word that ends with the value
	ValueFrom int // the offset of the value in that word
}

// Scanner splits the words after curl into arguments.
type Scanner struct {
	words    []Word
	next     int  // the index of the word after the one being read
	letter   int  // the offset of the next letter in the word being read; 0: it has been read
	operands bool // after --
}

// NewScanner returns a Scanner of the words after curl.
func NewScanner(words []Word) *Scanner { return &Scanner{words: words} }

// Insert inserts words before those that have not been read.
func (s *Scanner) Insert(words []Word) {
	s.words, s.next = append(words, s.words[s.next:]...), 0
}

// Scan returns the next argument. ok is false at the end.
func (s *Scanner) Scan() (a Argument, ok bool) {
	if s.letter > 0 {
		return s.short(), true
	}
	if s.next == len(s.words) {
		return Argument{}, false
	}
	s.next++
	w := s.words[s.next-1]
	switch text := w.Text; {
	case s.operands || !strings.HasPrefix(text, "-") || text == "-":
		return Argument{Word: s.next - 1, Operand: w}, true
	case text == "--":
		s.operands = true
		return s.Scan()
	case strings.HasPrefix(text, "--"):
		return s.long(text), true
	}
	s.letter = 1
	return s.short(), true
}

// long reads an option by its long name, which may begin with no- or expand-. The value is after = or in the next word.
func (s *Scanner) long(text string) Argument {
	name, value, joined := strings.Cut(text[2:], "=")
	a := Argument{Option: Long(name), Written: "--" + name, On: true, Word: s.next - 1}
	if rest, ok := strings.CutPrefix(name, "no-"); a.Option == nil && ok {
		if o := Long(rest); o != nil && !o.HasArgument {
			a.Option, a.On = o, false
		}
	}
	if rest, ok := strings.CutPrefix(name, "expand-"); a.Option == nil && ok {
		a.Option, a.Expand = Long(rest), true
	}
	switch {
	case a.Option == nil && !joined:
		s.skipUnknown()
	case a.Option == nil || !a.HasArgument:
	case joined:
		a.Value, a.ValueWord, a.ValueFrom = value, a.Word, len(text)-len(value)
	default:
		s.take(&a)
	}
	return a
}

// take reads the value of an option from the next word.
func (s *Scanner) take(a *Argument) {
	if a.Missing = s.next == len(s.words); !a.Missing {
		a.Value, a.ValueWord = s.words[s.next].Text, s.next
		s.next++
	}
}

// skipUnknown skips the word after an unknown option if it looks like its value, that is, neither an option nor a URL.
func (s *Scanner) skipUnknown() {
	if s.next == len(s.words) {
		return
	}
	if w := s.words[s.next]; !w.Open && !strings.HasPrefix(w.Text, "-") && !looksLikeURL(w.Text) {
		s.next++
	}
}

// looksLikeURL reports whether text is a URL rather than a value.
func looksLikeURL(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	return strings.Contains(text, "://") || strings.HasPrefix(text, "{{") ||
		strings.HasPrefix(text, "localhost") || strings.HasPrefix(text, "www.") ||
		strings.Contains(text, "/") && strings.Contains(host, ".") ||
		strings.Contains(host, ".") && strings.Contains(host, ":")
}

// short reads one letter of a word. The first option with a value takes the rest of the word, or the next word.
func (s *Scanner) short() Argument {
	text := s.words[s.next-1].Text
	c, size := utf8.DecodeRuneInString(text[s.letter:])
	a := Argument{Option: Letter(c), Written: "-" + string(c), On: true, Word: s.next - 1, Letter: s.letter}
	switch s.letter += size; {
	case a.Option != nil && a.HasArgument && s.letter < len(text):
		a.Value, a.ValueWord, a.ValueFrom = text[s.letter:], a.Word, s.letter
		s.letter = 0
	case a.Option != nil && a.HasArgument:
		s.take(&a)
		s.letter = 0
	case s.letter == len(text):
		s.letter = 0
	}
	return a
}

// Option is an option of curl's command line.
type Option struct {
	Name        string
	Short       byte // 0: none
	HasArgument bool
	// Shows marks an option that only controls what curl prints, or how a response is transferred. Other formats don't
	// need it.
	Shows bool
}

// listed are the options of curl 8.22 and the spellings that it and older releases accept: name, or name/letter, with =
// if it takes an argument, ~ for Shows. See docs/cmdline-opts of curl for each.
const listed = `
	abstract-unix-socket= alpn alt-svc= anyauth append/a aws-sigv4= basic~ buffer~ ca-native cacert= capath=
	cert/E= cert-status cert-type= ciphers= clobber~ compressed~ compressed-ssh config/K= connect-timeout=
	connect-to= continue-at/C= cookie/b= cookie-jar/c= create-dirs~ create-file-mode=~ crlf crlfile= curves=
	data/d= data-ascii= data-binary= data-raw= data-urlencode= delegation= digest disable/q~ disable-eprt
	disable-epsv disallow-username-in-url dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status
	doh-insecure doh-url= dump-ca-embed dump-header/D= ech= egd-file= engine= eprt epsv etag-compare= etag-save=
	expect100-timeout= fail/f~ fail-early~ fail-with-body~ false-start follow form/F= form-escape form-string=
	ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv ftp-port/P= ftp-pret
	ftp-skip-pasv-ip ftp-ssl ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control ftp-ssl-reqd get/G globoff/g
	happy-eyeballs-timeout-ms= haproxy-clientip= haproxy-protocol head/I header/H= help/h hostpubmd5=
	hostpubsha256= hsts= http0.9 http1.0/0 http1.1 http2 http2-prior-knowledge http3 http3-only httpsig=
	httpsig-headers= httpsig-key= httpsig-keyid= ignore-content-length include/i~ insecure/k interface= ip-tos=
	ipfs-gateway= ipv4/4 ipv6/6 json= junk-session-cookies/j keepalive~ keepalive-cnt= keepalive-time= key=
	key-type= knownhosts= krb= krb4= libcurl=~ limit-rate= list-only/l local-port= location/L location-trusted
	login-options= mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails manual/M max-filesize= max-redirs=
	max-time/m= metalink mptcp negotiate netrc/n netrc-file= netrc-optional next/: no-buffer/N~ noproxy= npn ntlm
	ntlm-wb oauth2-bearer= out-null~ output/o= output-dir= parallel/Z~ parallel-immediate~ parallel-max=~
	parallel-max-host= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= progress-bar/#~
	progress-meter~ proto= proto-default= proto-redir= proxy/x= proxy-anyauth proxy-basic proxy-ca-native
	proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile= proxy-digest
	proxy-header= proxy-http2 proxy-http3 proxy-insecure proxy-key= proxy-key-type= proxy-negotiate proxy-ntlm
	proxy-pass= proxy-pinnedpubkey= proxy-service-name= proxy-ssl-allow-beast proxy-ssl-auto-client-cert
	proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 proxy-user/U= proxy1.0=
	proxytunnel/p pubkey= quote/Q= random-file= range/r= rate= raw~ referer/e= remote-header-name/J remote-name/O
	remote-name-all remote-time/R~ remove-on-error~ request/X= request-target= resolve= retry= retry-all-errors
	retry-connrefused retry-delay= retry-max-time= sasl-authzid= sasl-ir service-name= sessionid show-error/S~
	show-headers/i~ sigalgs= silent/s~ skip-existing~ socks4= socks4a= socks5= socks5-basic socks5-gssapi
	socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= speed-limit/Y= speed-time/y= ssl ssl-allow-beast
	ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort ssl-sessions= sslv2/2 sslv3/3 stderr=~
	styled-output~ suppress-connect-headers tcp-fastopen tcp-nodelay telnet-option/t= tftp-blksize= tftp-no-options
	time-cond/z= tls-earlydata tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= tlsv1/1 tlsv1.0 tlsv1.1
	tlsv1.2 tlsv1.3 tr-encoding trace=~ trace-ascii=~ trace-config=~ trace-ids~ trace-time~ unix-socket=
	upload-file/T= upload-flags= url= url-query= use-ascii/B user/u= user-agent/A= variable= verbose/v~ version/V
	vlan-priority= write-out/w= xattr~
`

// byName are the options in listed.
var byName = func() map[string]*Option {
	table := map[string]*Option{}
	for word := range strings.FieldsSeq(listed) {
		var o Option
		word, o.Shows = strings.CutSuffix(word, "~")
		word, o.HasArgument = strings.CutSuffix(word, "=")
		if o.Name, word, _ = strings.Cut(word, "/"); word != "" {
			o.Short = word[0]
		}
		table[o.Name] = &o
	}
	return table
}()

// byShort are the options that have a letter. -i means --include, which all releases have.
var byShort = func() (table [128]*Option) {
	for _, o := range byName {
		if o.Short != 0 && o.Name != "show-headers" {
			table[o.Short] = o
		}
	}
	return table
}()

// Letter returns the option with a letter, or nil.
func Letter(c rune) *Option {
	if c < 0 || c >= rune(len(byShort)) {
		return nil
	}
	return byShort[c]
}

// Long returns the option with a long name, or nil.
func Long(name string) *Option { return byName[name] }
