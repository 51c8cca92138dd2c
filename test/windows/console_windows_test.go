package windows

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// onConsole runs a command on a pseudoconsole of 60 columns and returns its exit code and what the console shows. The
// test binary, which init turns into a program on that console, starts the command with the console as its standard
// streams. If event is not empty, that program sends this event to all programs of the console once a file that is not
// empty matches the pattern when. Standard error is then the file errors.txt.
func onConsole(t *testing.T, folder, event, when string, command ...string) (code int, shown string) {
	t.Helper()
	var in, typed, written, screen windows.Handle
	check.OK(t, windows.CreatePipe(&in, &typed, nil, 0))
	check.OK(t, windows.CreatePipe(&screen, &written, nil, 0))
	var console windows.Handle
	check.OK(t, windows.CreatePseudoConsole(windows.Coord{X: 60, Y: 300}, in, written, 0, &console))
	check.OK(t, windows.CloseHandle(in))
	check.OK(t, windows.CloseHandle(written))
	text := make(chan string)
	go func() {
		all, _ := io.ReadAll(os.NewFile(uintptr(screen), "screen"))
		text <- string(all)
	}()
	attributes := check.Value(windows.NewProcThreadAttributeList(1))(t)
	defer attributes.Delete()
	value := *(*unsafe.Pointer)(unsafe.Pointer(&console)) // the handle itself, which go vet does not take for a pointer
	check.OK(t, attributes.Update(windows.PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, value, unsafe.Sizeof(console)))
	t.Setenv("CONVERTD_CONSOLE", event+","+when)
	start := windows.StartupInfoEx{ProcThreadAttributeList: attributes.List()}
	start.Cb = uint32(unsafe.Sizeof(start))
	var process windows.ProcessInformation
	line := check.Value(windows.UTF16PtrFromString(windows.ComposeCommandLine(append([]string{os.Args[0]}, command...))))(t)
	at := check.Value(windows.UTF16PtrFromString(folder))(t)
	check.OK(t, windows.CreateProcess(nil, line, nil, nil, false, windows.EXTENDED_STARTUPINFO_PRESENT, nil, at, &start.StartupInfo, &process))
	ended := check.Value(windows.WaitForSingleObject(process.Process, uint32(daemon.Hang.Milliseconds())))(t)
	var status uint32
	check.OK(t, windows.GetExitCodeProcess(process.Process, &status))
	windows.ClosePseudoConsole(console)
	shown = <-text
	if ended != windows.WAIT_OBJECT_0 {
		t.Fatalf("%q hangs: %s", command, shown)
	}
	return int(status), shown
}

func init() {
	if task, is := os.LookupEnv("CONVERTD_CONSOLE"); is {
		event, when, _ := strings.Cut(task, ",")
		os.Exit(attend(event, when, os.Args[1:]))
	}
}

// attend is the program that onConsole starts.
func attend(event, when string, command []string) int {
	in, _ := os.OpenFile("CONIN$", os.O_RDWR, 0)
	out, _ := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	process := exec.Command(command[0], command[1:]...)
	process.Stdin, process.Stdout, process.Stderr = in, out, out
	daemon.EnableCtrlC()
	if event != "" {
		process.Stderr, _ = os.Create("errors.txt")
	}
	if err := process.Start(); err != nil {
		fmt.Fprintln(out, err)
		return 1
	}
	ended := make(chan error, 1)
	go func() { ended <- process.Wait() }()
	for event != "" && len(ended) == 0 {
		ready := func(name string) bool {
			info, err := os.Stat(name)
			return err == nil && info.Size() > 0
		}
		if names, _ := filepath.Glob(when); slices.ContainsFunc(names, ready) {
			number, _ := strconv.Atoi(event)
			if err := windows.GenerateConsoleCtrlEvent(uint32(number), 0); err != nil {
				fmt.Fprintln(out, err)
				_ = process.Process.Kill()
			}
			event = ""
		}
		time.Sleep(time.Millisecond)
	}
	<-ended
	var mode uint32
	_ = windows.GetConsoleMode(windows.Handle(out.Fd()), &mode)
	fmt.Fprintln(out, "interprets escape sequences:", mode&windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING != 0)
	return process.ProcessState.ExitCode()
}

// TestConsole checks colors, which only a console gets, and only one that shows them, and the width of the help.
func TestConsole(t *testing.T) {
	green := regexp.MustCompile(`\x1b\[(0;)?32m(\x1b\[\?25[lh])*"x"`)
	for _, c := range []struct {
		args, variable string
		colors         bool
	}{
		{"x.json", "", true},
		{"x.json", "1", false},
		{"--color=never x.json", "", false},
		{"--color=always x.json", "1", true},
	} {
		t.Setenv("NO_COLOR", c.variable)
		folder := folder(t)
		check.OK(t, os.WriteFile(filepath.Join(folder, "x.json"), []byte(`["x", "ü€"]`), 0o600))
		code, shown := onConsole(t, folder, "", "", append([]string{binary, "run", "json_format"}, strings.Fields(c.args)...)...)
		if code != 0 || green.MatchString(shown) != c.colors || !strings.Contains(shown, fmt.Sprint("interprets escape sequences: ", c.colors)) || !strings.Contains(shown, "ü€") {
			t.Errorf("%+v: exit code %d, %q", c, code, shown)
		}
		if got := run(t, folder, "", append([]string{binary, "run", "json_format"}, "x.json")...); got != (output{Out: "[\n  \"x\",\n  \"ü€\"\n]\n"}) {
			t.Errorf("a pipe: %+v", got)
		}
	}
	_, narrow := onConsole(t, t.TempDir(), "", "", binary, "run", "json_format", "--help")
	if !strings.Contains(narrow, "member order, digits and escapes") || strings.Contains(narrow, "are kept. Rejects duplicate names, numbers that not") {
		t.Errorf("%q", narrow)
	}
}

// TestCtrlC checks that Ctrl-C ends --in-place with all files as they were, or with all of them replaced, and no other file,
// and that it stops a service in order.
func TestCtrlC(t *testing.T) {
	folder := t.TempDir()
	text := "[" + strings.Repeat(`{"name": "somebody"},`, 50_000) + "0]"
	command := []string{binary, "run", "json_format", "--in-place"}
	for i := range 12 {
		name := fmt.Sprintf("%d.json", i)
		check.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
		command = append(command, name)
	}
	code, shown := onConsole(t, folder, "0", ".convertd-*.tmp", command...)
	problems := check.File(t, filepath.Join(folder, "errors.txt"))
	changed := 0
	entries := check.Value(os.ReadDir(folder))(t)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), ".json") && check.File(t, filepath.Join(folder, entry.Name())) != text {
			changed++
		}
	}
	interrupted := code == 130 && problems == "convertd: interrupted\n" && changed == 0
	if len(entries) != 13 || !interrupted && (code != 0 || changed != 12) {
		t.Errorf("exit code %d, %d of %d files were replaced: %q, %s", code, changed, len(entries)-1, problems, shown)
	}
	t.Logf("interrupted: %v", interrupted)

	code, shown = onConsole(t, folder, "0", "errors.txt", binary, "serve", "--listen=127.0.0.1:0", "--drain=1ms")
	if log := check.File(t, filepath.Join(folder, "errors.txt")); code != 0 || !strings.Contains(log, `"msg":"stopping","drain":"1ms"`) {
		t.Errorf("exit code %d, %s, %s", code, log, shown)
	}
}

// TestCtrlBreak checks that Ctrl-Break stops a service as Ctrl-C does.
func TestCtrlBreak(t *testing.T) {
	check.SkipUnderWine(t, "sends no Ctrl-Break: GenerateConsoleCtrlEvent returns ERROR_INVALID_HANDLE")
	folder := t.TempDir()
	code, shown := onConsole(t, folder, "1", "errors.txt", binary, "serve", "--listen=127.0.0.1:0", "--drain=1ms")
	if log := check.File(t, filepath.Join(folder, "errors.txt")); code != 0 || !strings.Contains(log, `"msg":"stopping","drain":"1ms"`) {
		t.Errorf("exit code %d, %s, %s", code, log, shown)
	}
}

// TestDevices checks that a name of a device is rejected before it is opened, except NUL, and that a file with such a name
// can be read by its full path. Windows 11 takes aux.json for a file.
func TestDevices(t *testing.T) {
	folder := folder(t)
	format := []string{binary, "run", "json_format", "--indent=0"}
	for _, name := range []string{"AUX", "com1", `.\PRN`, "lpt1", "aux.json", `out\nul.json`} {
		if filepath.IsLocal(filepath.Base(name)) {
			t.Logf("%s is a file here", name)
			continue
		}
		want := output{1, "", "convertd: " + name + ` is the name of a device on Windows: use another name, or \\?\ and the full path of a file` + "\n"}
		check.Equal(t, want, run(t, folder, "", append(format, name)...))
		check.Equal(t, want, run(t, folder, "", append(format, "-o", name, "a.json")...))
		check.Equal(t, want, run(t, folder, "", append(format, "--in-place", "a.json", name)...))
		check.Equal(t, want, run(t, folder, "", append(format, "--out-dir", name, "a.json")...))
	}
	check.Equal(t, output{1, "", "convertd: CON is the console: use - for standard input or output\n"}, run(t, folder, "", append(format, "CON")...))
	full := `\\?\` + folder + `\aux.json`
	check.OK(t, os.WriteFile(full, []byte("[ 4 ]"), 0o600))
	check.Equal(t, output{Out: "[4]\n"}, run(t, folder, "", append(format, full)...))
	check.Equal(t, output{}, run(t, folder, "", append(format, "--in-place", full)...))
	check.Equal(t, "[4]\n", check.File(t, full))
}

// TestOpenElsewhere checks that --in-place leaves a file alone that another program has open and does not share, and all
// other files with it.
func TestOpenElsewhere(t *testing.T) {
	for share, read := range map[uint32]bool{0: false, windows.FILE_SHARE_READ: true, windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE: true} {
		folder := folder(t)
		path := filepath.Join(folder, "b.json")
		file := check.Value(windows.CreateFile(check.Value(windows.UTF16PtrFromString(path))(t), windows.GENERIC_READ, share, nil, windows.OPEN_EXISTING, 0, 0))(t)
		format := []string{binary, "run", "json_format", "--indent=0"}
		if got := run(t, folder, "", append(format, "b.json")...); (got.Code == 0) != read {
			t.Errorf("share mode %d: %+v", share, got)
		}
		want := output{1, "", "convertd: b.json is open in another program and is left alone: close it there and run the command again\n"}
		check.Equal(t, want, run(t, folder, "", append(format, "--in-place", "a.json", "b.json")...), share)
		check.Equal(t, want, run(t, folder, "", append(format, "--in-place", "--lines", "a.json", "b.json")...), share)
		check.Equal(t, want, run(t, folder, "", append(format, "-o", "b.json", "a.json")...), share)
		check.OK(t, syscall.CloseHandle(syscall.Handle(file)))
		check.Equal(t, files["a.json"]+files["b.json"], check.File(t, filepath.Join(folder, "a.json"))+check.File(t, path))
		check.Equal(t, len(files), len(check.Value(os.ReadDir(folder))(t)))
	}
}
