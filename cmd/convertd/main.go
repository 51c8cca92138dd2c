// Command convertd is the Conversion Tool Service.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
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

// version is the build's SemVer, set by the linker (see the Makefile) or read
// from what the go command knows of the module.
var version string

func init() { version = buildversion.Current(version) }

// Exit codes, as --help and the README list them (CLI-2 of docs/contract.md).
const (
	exitOK          = 0
	exitFailed      = 1 // a file, the network listener, a fault of ours
	exitBadUsage    = 2
	exitRefused     = 3 // the input or the request
	exitUnavailable = 4 // the server, for now
	exitUnverified  = 5 // convertd verify found a deployment that breaks the contract
	exitInterrupted = 130
)

const exitCodes = `Exit codes: 0 done, 1 failed, 2 wrong usage, 3 input refused, 4 server
unavailable or over its limits, 5 verify found a broken contract, 130
interrupted.`

// overview is what the help of the program itself says behind its first line.
const overview = `Convert something, or start the service (serve --help lists what can be set,
each flag also by the environment, --listen by CONVERTD_LISTEN and so on):

  convertd tools
  convertd run TOOL --help
  convertd run TOOL [--OPTION=VALUE ...] [FILE ...]
  convertd pipeline RECIPE [FILE ...]
  convertd serve
  convertd verify URL

` + exitCodes

func main() {
	tuneCommand(os.Args)
	writes := len(os.Args) > 1 && (os.Args[1] == "run" || os.Args[1] == "pipeline")
	ctx, stop := signal.NotifyContext(context.Background(), endings(writes)...)
	if writes {
		context.AfterFunc(ctx, stop) // a second signal ends what does not end by the first
	}
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// endings returns the signals that end a command in order: a server drains, and
// a command that writes files removes the temporary ones. SIGHUP, the end of
// the terminal, is one of them unless nohup has it ignored.
func endings(writes bool) []os.Signal {
	list := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if writes {
		list = append(list, syscall.SIGQUIT)
	}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// run is main without the process: it parses the arguments, runs the command
// until ctx ends and returns the exit code. Standard error is for people, and
// so is standard output on a terminal: nothing is written there that acts on
// one. A pipe or a file gets the output's own bytes.
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
	var wrong error
	p.root.SetHelpFunc(func(command *cobra.Command, _ []string) {
		if command.HasSubCommands() && command.Flags().NArg() > 0 {
			wrong = wrongCommand(command, command.Flags().Args())
			return
		}
		describe(p.root, c)
		_, wrong = fmt.Fprint(std.out, help(command))
	})
	if len(args) > 0 && args[0] == "help" && !(len(args) > 1 && strings.HasPrefix(args[1], "-")) {
		args = append(args[1:len(args):len(args)], "--help")
	}
	p.root.SetArgs(args)
	command, err := p.root.ExecuteContextC(ctx)
	return report(errors.Join(err, wrong), command, args, std.err)
}

// hide replaces what in a message repeats an argument that looks like an input:
// a message may be kept where a token must not be.
func hide(message string, args []string) string {
	for _, arg := range args {
		if _, value, found := strings.Cut(arg, "="); found && strings.HasPrefix(arg, "-") {
			arg = value
		}
		arg = strings.TrimLeft(arg, "-") // it was taken for a flag
		if len(arg) < 8 || !cli.LooksLikeInput(arg) {
			continue
		}
		quoted := strconv.Quote(arg)
		for _, repeated := range []string{arg, quoted[1 : len(quoted)-1]} {
			message = strings.ReplaceAll(message, repeated, "(an argument that looks like an input: give that on standard input)")
		}
	}
	return message
}

// report tells of an error that the user has not been told of, and returns the
// exit code. command is what the arguments were read as, nil before that.
func report(err error, command *cobra.Command, args []string, stderr io.Writer) int {
	var (
		badConfig *server.ConfigError
		badUsage  *usageError
		told      *outcome
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &told):
		return told.code
	case errors.Is(err, errInterrupted):
		fmt.Fprintln(stderr, "convertd: interrupted")
		return exitInterrupted
	case errors.As(err, &badConfig), errors.As(err, &badUsage):
		fmt.Fprintf(stderr, "convertd: %s\n%s", hide(err.Error(), args), advice(command))
		return exitBadUsage
	}
	fmt.Fprintf(stderr, "convertd: %s\n", hide(err.Error(), args))
	return exitOf(err)
}

// exitOf is the exit code of an error that is no problem.
func exitOf(err error) int {
	switch {
	case errors.Is(err, cli.ErrUnavailable), errors.Is(err, verify.ErrNoDescription):
		return exitUnavailable
	case errors.Is(err, errUnverified):
		return exitUnverified
	case errors.Is(err, cli.ErrNoFile), errors.As(err, new(*usageError)):
		return exitBadUsage
	case errors.As(err, new(*cli.TooLarge)):
		return exitRefused
	}
	return exitFailed
}

// advice says where bad arguments are put right: which words may follow the
// last command that was understood, and whose help to read.
func advice(command *cobra.Command) string {
	var next []string
	for _, child := range command.Commands() {
		if !child.Hidden {
			next = append(next, child.Name())
		}
	}
	text := "Try " + command.CommandPath() + " --help.\n"
	if len(next) > 0 {
		text = command.CommandPath() + " takes one of " + strings.Join(next, ", ") + ".\n" + text
	}
	return text
}

// problemExit is the exit code of a refused call.
func problemExit(p *cli.Problem) int {
	switch {
	case p.Temporary():
		return exitUnavailable
	case p.Option() != "":
		return exitBadUsage
	case p.Status >= 500:
		return exitFailed
	}
	return exitRefused
}

// streams are the process's standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}
