// Command convertd is the Conversion Tool Service.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

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

// grammar is the command line.
type grammar struct {
	Version    kong.VersionFlag  `env:"-" help:"Print the version and exit."`
	Serve      serveCommand      `cmd:"" help:"Run the service over HTTP."`
	MCP        mcpCommand        `cmd:"" name:"mcp" help:"Serve agents over standard input and output (Model Context Protocol)."`
	Run        runCommand        `cmd:"" help:"Run one tool on files or on standard input."`
	Pipeline   pipelineCommand   `cmd:"" help:"Run a chain of tools."`
	Tools      toolsCommand      `cmd:"" help:"List the tools and their options."`
	OpenAPI    openapiCommand    `cmd:"" name:"openapi" help:"Print the API description."`
	Verify     verifyCommand     `cmd:"" help:"Hold a deployment to the contract, over REST and MCP, for CI."`
	Completion completionCommand `cmd:"" help:"Print the completion script of a shell."`
	Man        manCommand        `cmd:"" help:"Write the manual's pages into a folder."`
	Help       helpCommand       `cmd:"" help:"Say how a command is used."`
	Print      versionCommand    `cmd:"" name:"version" help:"Print the version."`
	Complete   completeCommand   `cmd:"" hidden:"" passthrough:""`
}

const exitCodes = `Exit codes: 0 done, 1 failed, 2 wrong usage, 3 input refused, 4 server
unavailable or over its limits, 5 verify found a broken contract, 130
interrupted.`

const description = `Small, deterministic text conversions, over HTTP and here.

Convert something, or start the service (serve --help lists what can be set,
each flag also by the environment, --listen by CONVERTD_LISTEN and so on):

  convertd tools
  convertd run TOOL --help
  convertd run TOOL [--OPTION=VALUE ...] [FILE ...]
  convertd pipeline RECIPE [FILE ...]
  convertd serve
  convertd verify URL

` + exitCodes

func main() {
	if len(os.Args) > 1 && os.Args[1] != "serve" && os.Args[1] != "mcp" {
		debug.SetGCPercent(400) // such a command ends before collecting pays
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	if len(os.Args) > 1 && (os.Args[1] == "run" || os.Args[1] == "pipeline") {
		context.AfterFunc(ctx, stop) // a second signal ends what does not end by the first
	}
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
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
	exit := -1
	parser := kong.Must(&grammar{Run: newRunCommand(c.Tools())},
		kong.Name("convertd"),
		kong.Description(description),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.DefaultEnvars("CONVERTD"),
		kong.Writers(std.out, std.err),
		kong.Vars{
			"version": version,
			"slots":   strconv.Itoa(defaultSlots()),
			"rate":    strconv.Itoa(c.Limits().RequestsPerMinute),
			"exec":    cli.ExecTimeout.String(),
		},
		kong.Exit(func(code int) { exit = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std, c),
	)
	describe(parser.Model.Node, c)
	if len(args) > 0 && args[0] == "help" && !(len(args) > 1 && strings.HasPrefix(args[1], "-")) {
		args = append(args[1:len(args):len(args)], "--help")
	}
	command, err := parser.Parse(inFront(parser.Model.Node, args))
	if exit >= 0 {
		return exit // --help or --version has answered
	}
	if err == nil {
		err = command.Run()
	}
	return report(err, command, args, std.err)
}

// hide replaces what in a message repeats an argument that looks like an input:
// a message may be kept where a token must not be.
func hide(message string, args []string) string {
	for _, arg := range args {
		if _, value, found := strings.Cut(arg, "="); found && strings.HasPrefix(arg, "-") {
			arg = value
		}
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
// exit code. command is what the arguments were read as, nil when they could
// not be.
func report(err error, command *kong.Context, args []string, stderr io.Writer) int {
	var (
		badConfig *server.ConfigError
		badUsage  *kong.ParseError
		usage     *usageError
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
	case errors.As(err, &badUsage):
		command = badUsage.Context
		fallthrough
	case errors.As(err, &badConfig), errors.As(err, &usage):
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
func advice(command *kong.Context) string {
	node := command.Model.Node
	for _, part := range command.Path {
		if part.Command != nil {
			node = part.Command
		}
	}
	var next []string
	for _, child := range node.Children {
		if !child.Hidden {
			next = append(next, child.Name)
		}
	}
	text := "Try " + node.FullPath() + " --help.\n"
	if len(next) > 0 {
		text = node.FullPath() + " takes one of " + strings.Join(next, ", ") + ".\n" + text
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
