package main

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/server"
	"github.com/convertd/convertd/internal/tools"
)

// mcpCommand holds the flags of convertd mcp.
type mcpCommand struct {
	server.Config
	LogLevel slog.Level
}

func newMCP(p *commandLine) *cobra.Command {
	// Values without a flag only have to be valid.
	m := &mcpCommand{Config: server.Config{Listen: "127.0.0.1:0", QueueWait: queueWait, BodyTimeout: time.Second, Version: version}}
	command := p.command("mcp", "Serve agents over standard input and output (MCP).", "",
		func(ctx context.Context, _ []string) error { return m.run(ctx, p.contract, p.std) })
	f := flags{command.Flags(), command}
	f.StringVar(&m.BaseURL, "base-url", "", "Base `URL` of a running service, for links to its editor and pages; without it there are none.")
	f.IntVar(&m.WorkSlots, "work-slots", unlessSet, "Maximum concurrent conversions (default: 2 for each processor).")
	f.DurationVar(&m.ExecTimeout, "exec-timeout", cli.ExecTimeout, "How long one tool may run.")
	f.TextVar(&m.LogLevel, "log-level", slog.LevelWarn, "The log's `LEVEL`: debug, info, warn or error; it goes to standard error.")
	f.StringVar(&m.Provider, "provider", "convertd", "The `NAME` of the provider in each response's provenance.")
	f.hideDefaults("work-slots")
	f.fromEnvironment()
	return command
}

// queueWait is how long a call waits for a slot: practically without limit, since all calls come from one client.
const queueWait = time.Hour

// run serves messages until standard input ends.
func (m *mcpCommand) run(ctx context.Context, c *contract.Contract, std streams) error {
	ignoreSIGPIPE()
	if m.WorkSlots == unlessSet {
		m.WorkSlots = defaultSlots()
	}
	if err := m.Check(); err != nil {
		return err
	}
	base := strings.TrimSuffix(m.BaseURL, "/")
	log := slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: m.LogLevel}))
	e, err := engine.New(c, tools.All(), engine.Config{
		BaseURL: base, Provider: m.Provider, Version: version, ExecTimeout: m.ExecTimeout, WorkSlots: m.WorkSlots, QueueWait: queueWait, Log: log,
	})
	if err != nil {
		return err
	}
	s, err := mcp.New(c, e, mcp.Config{BaseURL: base, Version: version, Log: log})
	if err != nil {
		return err
	}
	return s.Stdio(ctx, std.in, std.out, c.Limits().RequestBytes)
}
