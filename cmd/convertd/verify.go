package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/verify"
)

// verifyCommand is convertd verify: its flags and the deployment's base URL.
type verifyCommand struct {
	URL      string
	BaseURL  string
	Header   []string
	JUnit    string
	Only     string
	Cases    string
	MaxWait  time.Duration
	Slow     bool
	Exhaust  bool
	Proxied  bool
	RESTOnly bool
	Quiet    bool
}

func newVerify(p *commandLine) *cobra.Command {
	v := &verifyCommand{}
	command := p.command("verify", "Hold a deployment to the contract, over REST and MCP, for CI.",
		argument{name: "URL", help: "The deployment's base URL, such as https://convert.example.com."},
		func(ctx context.Context, args []string) error {
			v.URL = args[0]
			return v.run(ctx, p.std)
		})
	f := flags{command.Flags()}
	f.text(&v.BaseURL, "base-url", "URL", "", "What the deployment's links begin with, where that is not URL: its serve --base-url.")
	f.each(&v.Header, "header", "NAME:VALUE", "Send this header with each request, for a gateway that asks for a key; may be repeated. The value is never printed.")
	f.text(&v.JUnit, "junit", "FILE", "", "Also write a JUnit report to FILE, on every exit.")
	f.text(&v.Only, "only", "REGEXP", "", "Run only the cases whose name matches.")
	f.text(&v.Cases, "cases", "FOLDER", "", "Run the *.yaml cases of FOLDER instead of those built in.")
	f.duration(&v.MaxWait, "max-wait", "1m", "The longest that an answer may take, or ask to be waited for by Retry-After.")
	f.on(&v.Slow, "slow", "Also run the cases that take more than ten seconds.")
	f.on(&v.Exhaust, "exhaust", "Also use up this address's rate limit, to see that it is enforced; not for an address that others use.")
	f.on(&v.Proxied, "proxied", "Leave out the cases that a proxy in front of the deployment answers itself, such as an unknown Host.")
	f.on(&v.RESTOnly, "rest-only", "Leave out agents (MCP), for a deployment that does not serve them.")
	f.on(&v.Quiet, "quiet,q", "Only write what failed, warnings and the summary.")
	return command
}

// errUnverified means that a case failed.
var errUnverified = errors.New("the deployment breaks the contract")

// run runs the cases against the deployment, and writes the report whatever
// comes of it.
func (v *verifyCommand) run(ctx context.Context, std streams) error {
	std.out = printable.Writer{To: std.out} // for people, in a build's log too
	if v.JUnit == "" {
		_, err := v.verify(ctx, std)
		return err
	}
	file, err := os.Create(v.JUnit)
	if err != nil {
		return err
	}
	results, err := v.verify(ctx, std)
	// What ended the run early is a failure in the report too: a report of
	// good cases alone would be taken for a good run.
	if err != nil && !errors.Is(err, errUnverified) && !errors.Is(err, verify.ErrNoDescription) {
		results = append(results, verify.Result{
			Case:   verify.Case{Name: "the run", Rule: "it did not come to its end"},
			Failed: []string{printable.Text(err.Error())},
		})
	}
	return errors.Join(err, verify.JUnit(file, results), file.Close())
}

// verify runs the cases that were chosen and prints how they went.
func (v *verifyCommand) verify(ctx context.Context, std streams) ([]verify.Result, error) {
	options, err := v.options()
	if err != nil {
		return nil, &usageError{err}
	}
	list, err := v.list(options.Only)
	if err != nil {
		return nil, err
	}
	options.Report = func(r verify.Result) { v.tell(std, r) }
	results, err := verify.Run(ctx, list, options)
	if errors.Is(err, verify.ErrNoDescription) {
		return results, err // which says all that the one result says
	}
	failed := v.summarize(std, results)
	if err != nil {
		return results, err
	}
	if failed {
		return results, errUnverified
	}
	return results, nil
}

// options are the flags, checked.
func (v *verifyCommand) options() (verify.Options, error) {
	for flag, address := range map[string]string{"URL": v.URL, "--base-url": v.BaseURL} {
		if err := cli.CheckServer(address); address != "" && err != nil {
			return verify.Options{}, fmt.Errorf("%s: %w", flag, err)
		}
	}
	only, err := regexp.Compile(v.Only)
	if err != nil {
		return verify.Options{}, fmt.Errorf("--only: %w", err)
	}
	if v.MaxWait < time.Second || v.MaxWait > time.Hour {
		return verify.Options{}, errors.New("--max-wait: must be a duration from 1s to 1h")
	}
	header := http.Header{}
	for _, text := range v.Header {
		name, value, found := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		// The value is somebody's key: the message does not have it.
		if !found || value == "" || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || strings.EqualFold(name, "Host") {
			return verify.Options{}, errors.New("--header: must be NAME:VALUE, such as X-Api-Key:KEY, and not Host")
		}
		header.Add(name, value)
	}
	return verify.Options{
		BaseURL: v.URL, Public: v.BaseURL, Header: header, Only: only, MaxWait: v.MaxWait,
		Slow: v.Slow, Exhaust: v.Exhaust, Direct: !v.Proxied, RESTOnly: v.RESTOnly,
	}, nil
}

// list reads the cases. That none of them is chosen is wrong usage: a build
// would be green for nothing.
func (v *verifyCommand) list(only *regexp.Regexp) ([]verify.Case, error) {
	var files fs.FS = verify.Builtin()
	if v.Cases != "" {
		files = os.DirFS(v.Cases)
	}
	list, err := verify.Load(files)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &usageError{errors.New("--cases: the folder has no cases (*.yaml)")}
	}
	chosen := func(c verify.Case) bool { return only.MatchString(c.Name) }
	if !slices.ContainsFunc(list, chosen) {
		return nil, &usageError{errors.New("--only: no case's name matches")}
	}
	return list, nil
}

// tell prints how one case went.
func (v *verifyCommand) tell(std streams, r verify.Result) {
	indented := func(text string) string { return strings.ReplaceAll(text, "\n", "\n      ") }
	switch {
	case r.Skipped != "":
		v.say(std, "skip  %s (%s)\n", r.Case.Name, r.Skipped)
	case len(r.Failed) > 0:
		fmt.Fprintf(std.out, "FAIL  %s\n      rule: %s\n", r.Case.Name, r.Case.Rule)
		for _, wrong := range r.Failed {
			fmt.Fprintf(std.out, "      %s\n", indented(wrong))
		}
	case len(r.Warned) == 0:
		v.say(std, "ok    %s\n", r.Case.Name)
	}
	for _, warning := range r.Warned {
		fmt.Fprintf(std.out, "warn  %s\n      %s\n", r.Case.Name, indented(warning))
	}
}

// summarize prints the sums, with what was left out and why, and reports
// whether the deployment failed.
func (v *verifyCommand) summarize(std streams, results []verify.Result) (failed bool) {
	failures, warnings, skipped := 0, 0, 0
	reasons := map[string]int{}
	for _, r := range results {
		warnings += len(r.Warned)
		switch {
		case r.Skipped != "":
			skipped++
			reasons[r.Skipped]++
		case len(r.Failed) > 0:
			failures++
		}
	}
	fmt.Fprintf(std.out, "%d cases: %d ok, %d failed, %d skipped", len(results), len(results)-failures-skipped, failures, skipped)
	if warnings > 0 {
		fmt.Fprintf(std.out, ", %d warnings", warnings)
	}
	fmt.Fprintln(std.out)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(std.out, "left out: %d, %s\n", reasons[reason], reason)
	}
	if failures > 0 {
		fmt.Fprintln(std.out, "The rules are in docs/contract.md of https://github.com/convertd/convertd.")
	}
	return failures > 0 || len(results) == skipped
}

func (v *verifyCommand) say(std streams, format string, args ...any) {
	if !v.Quiet {
		fmt.Fprintf(std.out, format, args...)
	}
}
