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
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/convertd/convertd/internal/server"
)

// version is the build's SemVer, set by the linker (see the Makefile).
var version = "1.0.0-dev"

// Exit codes.
const (
	exitOK       = 0
	exitFailed   = 1
	exitBadUsage = 2
)

type cli struct {
	Version kong.VersionFlag `env:"-" help:"Print the version and exit."`
	Serve   serveCommand     `cmd:"" help:"Run the service over HTTP."`
	MCP     mcpCommand       `cmd:"" name:"mcp" help:"Serve agents over standard input and output (Model Context Protocol)."`
}

const description = `Small, deterministic text conversions over HTTP: JWT, JSON, YAML, timestamps.

Start the service and convert something:

  convertd serve
  curl http://127.0.0.1:8080/v1/tools/json_format -H 'Content-Type: application/json' \
    -d '{"input":{"mediaType":"application/json","value":"[1,2]"}}'

Every flag can also be set by an environment variable, --listen by
CONVERTD_LISTEN and so on.`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is main without the process: it parses the arguments, runs the command
// until ctx ends and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	exit := -1
	parser := kong.Must(&cli{},
		kong.Name("convertd"),
		kong.Description(description),
		kong.UsageOnError(),
		kong.DefaultEnvars("CONVERTD"),
		kong.Writers(stdout, stderr),
		kong.Vars{"version": version, "slots": strconv.Itoa(defaultSlots())},
		kong.Exit(func(code int) { exit = code }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(streams{stdout, stderr}),
	)
	command, err := parser.Parse(args)
	if exit >= 0 {
		return exit // --help or --version has answered
	}
	if err == nil {
		err = command.Run()
	}
	var badConfig *server.ConfigError
	var badUsage *kong.ParseError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &badUsage), errors.As(err, &badConfig):
		fmt.Fprintf(stderr, "convertd: %v\nTry convertd --help.\n", err)
		return exitBadUsage
	default:
		fmt.Fprintf(stderr, "convertd: %v\n", err)
		return exitFailed
	}
}

// streams are the process's output streams.
type streams struct{ out, err io.Writer }
