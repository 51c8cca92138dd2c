package curl

// Every option is written as curl 7.68 takes it, the oldest that a supported
// system brings, and no later than 7.88, that of Debian 12: what came with 7.69
// to 7.88 stays as it is, and for what came later there is an older spelling or
// none. When an option came stands in its page of curl's manual, "Added".

// older are the spellings of options that came later under another name.
var older = map[string]string{
	"show-headers": "include",  // 8.10.0
	"follow":       "location", // 8.16.0
	"ntlm-wb":      "ntlm",     // gone since 8.8.0
}

// newer are the options that curl 7.88 does not take, with their release; "8"
// where only the first number is sure.
var newer = map[string]string{
	"ca-native": "8.2.0", "dump-ca-embed": "8.10.0", "ech": "8.8.0", "haproxy-clientip": "8.2.0", "ip-tos": "8.9.0",
	"httpsig": "8", "httpsig-headers": "8", "httpsig-key": "8", "httpsig-keyid": "8",
	"ipfs-gateway": "8.4.0", "keepalive-cnt": "8.9.0", "knownhosts": "8", "mptcp": "8.9.0", "out-null": "8.16.0",
	"parallel-max-host": "8.16.0", "proxy-ca-native": "8.2.0", "proxy-http2": "8.1.0", "proxy-http3": "8",
	"sigalgs": "8.14.0", "skip-existing": "8.10.0", "ssl-sessions": "8.12.0", "tls-earlydata": "8.11.0",
	"trace-config": "8.3.0", "trace-ids": "8.2.0", "upload-flags": "8.13.0", "variable": "8.3.0", "vlan-priority": "8.9.0",
	"metalink": "7.27.0 to 7.77.0", // gone, and refused since
}
