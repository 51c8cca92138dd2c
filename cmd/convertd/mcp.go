package main

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/server"
	"github.com/convertd/convertd/internal/tools"
)

// mcpCommand is convertd mcp.
type mcpCommand struct {
	BaseURL     string        `name:"base-url" default:"http://127.0.0.1:8080" placeholder:"URL" help:"Address of a running service, used in links (${default})."`
	WorkSlots   int           `default:"${slots}" placeholder:"N" help:"Calls that run at once (default: 2 for each processor)."`
	ExecTimeout time.Duration `default:"${exec}" help:"How long one tool may run."`
	LogLevel    slog.Level    `default:"warn" help:"debug, info, warn or error; the log goes to standard error."`
	Provider    string        `default:"convertd" help:"The provenance's provider."`
}

// queueWait is how long a call waits for a slot: as long as it takes, since
// all of them come from one client.
const queueWait = time.Hour

// Run answers messages until standard input ends.
func (m *mcpCommand) Run(ctx context.Context, c *contract.Contract, std streams) error {
	outliveReaders()
	limits := server.Config{ // what has no flag here need only be valid
		Listen:      "127.0.0.1:0",
		BaseURL:     m.BaseURL,
		WorkSlots:   m.WorkSlots,
		QueueWait:   queueWait,
		BodyTimeout: time.Second,
		ExecTimeout: m.ExecTimeout,
	}
	if err := limits.Check(); err != nil {
		return err
	}
	baseURL := strings.TrimSuffix(m.BaseURL, "/")
	log := slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: m.LogLevel}))
	e, err := engine.New(c, tools.All(), engine.Config{
		BaseURL:     baseURL,
		Provider:    m.Provider,
		Version:     version,
		ExecTimeout: m.ExecTimeout,
		WorkSlots:   m.WorkSlots,
		QueueWait:   queueWait,
		Log:         log,
	})
	if err != nil {
		return err
	}
	s, err := mcp.New(c, e, mcp.Config{BaseURL: baseURL, Version: version, Log: log})
	if err != nil {
		return err
	}
	return s.Stdio(ctx, std.in, std.out, c.Limits().RequestBytes)
}
