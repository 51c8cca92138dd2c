// Command convertd is the Conversion Tool Service: the server, and the command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/server"
	"github.com/convertd/convertd/internal/verify"
	buildversion "github.com/convertd/convertd/internal/version"
)

// version is the build's SemVer, set by the linker (see the Makefile) or read from the module's build information.
var version string

func init() { version = buildversion.Current(version) }

// Exit codes (CLI-2 of docs/contract.md).
const (
	exitOK          = 0
	exitFailed      = 1 // a file, the listener, an internal error
	exitBadUsage    = 2
	exitRejected    = 3 // the input or the request
	exitUnavailable = 4 // the server, for now
	exitUnverified  = 5 // convertd verify found a broken contract
	exitDiffers     = 6 // convertd run --check found a file that would change
	exitInterrupted = 130
)

const exitCodes = "Exit codes: 0 success, 1 failure, 2 wrong usage, 3 input rejected, 4 server unavailable or over its limits, " +
	"5 verify found a broken contract, 6 --check found a file that would change, 130 interrupted."

func main() {
	writes := len(os.Args) > 1 && (os.Args[1] == "run" || os.Args[1] == "pipeline")
	ctx := context.Background()
	if writes && slices.ContainsFunc(os.Args, writesFiles) {
		ctx, _ = signal.NotifyContext(ctx, syscall.SIGPIPE) // nobody reads the messages anymore, and more of them may follow
	}
	ctx, stop := signal.NotifyContext(ctx, stopSignals(writes)...)
	if writes {
		context.AfterFunc(ctx, stop) // a second signal kills the process
		collectAt(heapGrowth)        // it ends before a collection pays off
	}
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// stopSignals returns the signals that end a command in order: a server drains, and a command that writes files removes
// the temporary ones. SIGHUP, the end of the terminal, is one of them unless nohup has it ignored.
func stopSignals(writes bool) []os.Signal {
	list := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if writes {
		list = append(list, syscall.SIGQUIT)
	}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// writesFiles reports whether an argument is a flag with which outputs are files.
func writesFiles(arg string) bool {
	return strings.HasPrefix(arg, "--in-place") || strings.HasPrefix(arg, "--out-dir") || strings.HasPrefix(arg, "--output") ||
		strings.HasPrefix(arg, "-i") || strings.HasPrefix(arg, "-o")
}

// run parses the arguments, runs the command until ctx ends, and returns the exit code. What people read, which is
// standard error and a terminal, gets control characters as escapes; a pipe or a file gets the exact output.
func run(ctx context.Context, args []string, std streams) int {
	std.err = printable.Writer{To: std.err}
	if cli.Terminal(std.out) {
		std.out = printable.Writer{To: std.out}
	}
	c, err := contract.Load()
	if err != nil {
		return report(err, nil, nil, std.err)
	}
	p := newCommandLine(c, std)
	var helpErr error
	p.root.SetHelpFunc(func(command *cobra.Command, args []string) { helpErr = p.help(command, args) })
	if len(args) > 0 && args[0] == "help" && !(len(args) > 1 && strings.HasPrefix(args[1], "-")) {
		args = append(args[1:len(args):len(args)], "--help")
	}
	args = commandFirst(childNames(p.root), endOfFlags(args))
	p.root.SetArgs(args)
	command, err := p.root.ExecuteContextC(ctx)
	return report(errors.Join(err, helpErr), command, args, std.err)
}

// commandFirst moves flags before the command to after it: cobra would take the command for the value of a flag.
func commandFirst(commands, args []string) []string {
	at := slices.IndexFunc(args, func(arg string) bool { return arg == "--" || slices.Contains(commands, arg) })
	if at <= 0 || args[at] == "--" || !strings.HasPrefix(args[0], "-") || args[0] == "-V" || args[0] == "--version" {
		return args
	}
	return slices.Concat(args[at:at+1], args[:at], args[at+1:])
}

// endOfFlags moves the first -- after the words of the command: it ends the flags (POSIX, XBD 12.2, guideline 10), and the
// words are not flags.
func endOfFlags(args []string) []string {
	at := slices.Index(args, "--")
	if at < 0 || at > 1 || at == 1 && args[0] != "run" {
		return args
	}
	words := slices.Delete(slices.Clone(args), at, at+1)
	n := 1
	if len(words) > 0 && words[0] == "run" {
		n = 2
	}
	return slices.Insert(words, min(n, len(words)), "--")
}

// hide replaces the arguments in a message that look like inputs: a message may be kept where a token must not be.
func hide(message string, args []string) string {
	for _, arg := range args {
		if _, value, found := strings.Cut(arg, "="); found && strings.HasPrefix(arg, "-") {
			arg = value
		}
		arg = strings.TrimLeft(arg, "-") // it may have been parsed as a flag
		if len(arg) < 8 || !cli.LooksLikeInput(arg) {
			continue
		}
		quoted := strconv.Quote(arg)
		for _, repeated := range []string{arg, printable.Line(arg), quoted[1 : len(quoted)-1]} {
			message = strings.ReplaceAll(message, repeated, "(an argument that looks like an input; pass it on standard input)")
		}
	}
	return message
}

// report prints an error that has not been printed yet, and returns the exit
// code. command is the one that was understood, nil if none was.
func report(err error, command *cobra.Command, args []string, stderr io.Writer) int {
	var done *exitError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &done):
		return done.code
	case errors.Is(err, errInterrupted):
		fmt.Fprintln(stderr, "convertd: interrupted")
		return exitInterrupted
	}
	for _, line := range messages(err) {
		if command != nil {
			line += standardInput(err, command.Name())
		}
		fmt.Fprintf(stderr, "convertd: %s\n", hide(line, args))
	}
	if errors.As(err, new(*server.ConfigError)) || errors.As(err, new(*usageError)) {
		fmt.Fprint(stderr, advice(command))
		return exitBadUsage
	}
	return exitOf(err)
}

// standardInput returns the end of the message of cli.ErrNoFile: how the command of a tool or of a pipeline reads standard input.
func standardInput(err error, operation string) string {
	switch {
	case !errors.Is(err, cli.ErrNoFile):
		return ""
	case operation == contract.Pipeline:
		return ", as in convertd pipeline RECIPE <FILE"
	}
	return ", as in convertd run " + operation + " <FILE"
}

// messages returns an error's message, each line of what errors.Join has joined.
func messages(err error) (lines []string) {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []string{printable.Line(err.Error())}
	}
	for _, err := range joined.Unwrap() {
		lines = append(lines, messages(err)...)
	}
	return lines
}

// exitOf returns the exit code of an error that is not a problem document.
func exitOf(err error) int {
	switch {
	case errors.Is(err, cli.ErrUnavailable), errors.Is(err, verify.ErrNoDescription):
		return exitUnavailable
	case errors.Is(err, errUnverified):
		return exitUnverified
	case errors.Is(err, cli.ErrNoFile), errors.As(err, new(*usageError)):
		return exitBadUsage
	case errors.As(err, new(*cli.TooLarge)):
		return exitRejected
	}
	return exitFailed
}

// advice says which words may follow the last command that was understood, and whose help to read.
func advice(command *cobra.Command) string {
	text := "Try " + command.CommandPath() + " --help.\n"
	if next := childNames(command); len(next) > 0 {
		text = command.CommandPath() + " takes one of " + strings.Join(next, ", ") + ".\n" + text
	}
	return text
}

// childNames returns the words that may follow a command.
func childNames(command *cobra.Command) (names []string) {
	for _, child := range command.Commands() {
		if !child.Hidden {
			names = append(names, child.Name())
		}
	}
	return names
}

// problemExit returns the exit code of a problem document.
func problemExit(p *cli.Problem) int {
	switch {
	case p.Temporary():
		return exitUnavailable
	case p.Option() != "":
		return exitBadUsage
	case p.Status >= 500:
		return exitFailed
	}
	return exitRejected
}

// streams are the process's standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}
