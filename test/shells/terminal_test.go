//go:build linux

package shells

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// terminal is an interactive program on a pseudo-terminal.
type terminal struct {
	t      *testing.T
	master *os.File
	output chan []byte
	seen   bytes.Buffer
}

// startTerminal starts the program with the terminal as its standard streams and as its controlling terminal.
func startTerminal(t *testing.T, command *exec.Cmd) *terminal {
	t.Helper()
	master := check.Value(os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	check.OK(t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number := check.Value(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))(t)
	slave := check.Value(os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	check.OK(t, unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 4000}))
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	check.OK(t, command.Start())
	slave.Close()
	term := &terminal{t: t, master: master, output: make(chan []byte, 1000)}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		master.Close()
	})
	go func() {
		defer close(term.output)
		for {
			part := make([]byte, 4096)
			n, err := master.Read(part)
			term.output <- part[:n]
			if err != nil {
				return
			}
		}
	}()
	return term
}

// send types keys.
func (term *terminal) send(keys string) {
	term.t.Helper()
	if _, err := io.WriteString(term.master, keys); err != nil {
		term.t.Fatal(err)
	}
}

// until reads until the terminal shows the text, and returns what it has shown since the previous call, up to the text.
func (term *terminal) until(text string) string {
	term.t.Helper()
	limit := time.After(daemon.Hang)
	for {
		if before, _, found := strings.Cut(term.seen.String(), text); found {
			term.seen.Next(len(before) + len(text))
			return before
		}
		select {
		case part, open := <-term.output:
			if term.seen.Write(part); !open {
				term.t.Fatalf("the program ended and did not show %q:\n%q", text, term.seen.String())
			}
		case <-limit:
			term.t.Fatalf("the terminal does not show %q:\n%q", text, term.seen.String())
		}
	}
}
