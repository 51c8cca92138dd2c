//go:build unix

// These tests need SIGHUP or /dev/full, which Windows does not have.

package main

import (
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

// TestLostLog checks that the service serves requests and stops although its log
// is not read, its log's reader leaves or its disk is full, and that it counts the
// lost lines. TestLogIsBounded checks what a log contains that is read again.
func TestLostLog(t *testing.T) {
	read, unread, err := os.Pipe()
	check.OK(t, err)
	defer read.Close()
	reader, left, err := os.Pipe()
	check.OK(t, err)
	full := check.Value(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
	for name, log := range map[string]*os.File{"not read": unread, "its reader leaves": left, "a full disk": full} {
		t.Run(name, func(t *testing.T) {
			p := &daemon.Process{URL: "http://" + proxy.Free(t), Admin: "http://" + proxy.Free(t)}
			command := exec.Command(binary, "serve", "--rate-limit=0", "--listen="+p.Address(), "--admin-listen="+strings.TrimPrefix(p.Admin, "http://"))
			command.Stdout, command.Stderr = log, log
			check.OK(t, command.Start())
			t.Cleanup(func() { _ = command.Process.Kill() })
			log.Close()
			if log == left {
				reader.Close()
			}
			daemon.Await(t, "the service responds", func() bool {
				response, err := http.Get(p.URL + "/healthz")
				if err == nil {
					response.Body.Close()
				}
				return err == nil
			})
			for p.Metric(t, "convertd_log_lines_dropped_total") < 50 {
				for range 50 {
					if status, _ := get(t, p.URL+"/healthz"); status != http.StatusOK {
						t.Fatalf("status %d", status)
					}
				}
			}
			_ = command.Process.Signal(syscall.SIGTERM)
			if err := command.Wait(); err != nil {
				t.Errorf("after SIGTERM: %v", err)
			}
		})
	}
}

// TestHangup checks that SIGHUP, which a server gets when its terminal goes away, drains as SIGTERM does.
func TestHangup(t *testing.T) {
	// Under nohup, the service would inherit that SIGHUP is ignored. A signal that is handled here isn't ignored there.
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	defer signal.Stop(signals)
	service := daemon.Start(t, binary, nil, "--drain=1ms")
	service.Signal(syscall.SIGHUP)
	if drain := stopping(t, service); drain != "1ms" {
		t.Errorf("drained for %q", drain)
	}
}
