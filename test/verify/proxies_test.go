package verify

import (
	"testing"

	"github.com/convertd/convertd/internal/verify"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// TestSoundBehindProxies runs all cases behind the proxies of deploy/, each in front of
// three replicas: at the root, and below a path that the proxy keeps or strips.
func TestSoundBehindProxies(t *testing.T) {
	for _, p := range proxy.All {
		for name, where := range map[string]struct {
			path    string
			changes []proxy.Change
		}{
			"at the root":     {},
			"below, kept":     {"/tools", []proxy.Change{p.Below(false)}},
			"below, stripped": {"/tools", []proxy.Change{p.Below(true)}},
		} {
			t.Run(p.Name+" "+name, func(t *testing.T) {
				t.Parallel()
				address := proxy.Free(t)
				public := "http://" + address + where.path
				var replicas [3]string
				for i := range replicas {
					replicas[i] = daemon.Start(t, binary, nil, "--rate-limit=0", "--trusted-proxies=127.0.0.1/32", "--base-url="+public).Address()
				}
				p.Start(t, address, replicas, append(where.changes, proxy.Public(public))...)
				sound(t, verify.Options{BaseURL: public, Direct: true})
			})
		}
	}
}
