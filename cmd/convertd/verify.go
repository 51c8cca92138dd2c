package main

import (
	"context"
	"errors"
	"fmt"
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

// verifyCommand holds the flags of convertd verify. The embedded Options have those that need no check.
type verifyCommand struct {
	verify.Options
	Headers []string
	JUnit   string
	Names   string // --only
	Cases   string
	Proxied bool
	Quiet   bool
}

func newVerify(p *commandLine) *cobra.Command {
	v := &verifyCommand{}
	command := p.command("verify URL", "Check a deployment against the contract, over REST and MCP.",
		"The deployment's base URL, such as https://convert.example.com.",
		func(ctx context.Context, args []string) error {
			v.BaseURL = args[0]
			return v.run(ctx, p.std)
		})
	f := command.Flags()
	f.StringVar(&v.Public, "base-url", "", "What the deployment's links begin with, if that is not URL: the `URL` of its serve --base-url.")
	f.StringArrayVar(&v.Headers, "header", nil, "Send the header `NAME:VALUE` with each request, for a gateway that requires a key; may be repeated. The value is never printed.")
	f.StringVar(&v.JUnit, "junit", "", "Also write a JUnit report to `FILE`, whatever the result.")
	f.StringVar(&v.Names, "only", "", "Run only the cases whose name matches `REGEXP`.")
	f.StringVar(&v.Cases, "cases", "", "Run the *.yaml cases in `FOLDER` instead of the built-in ones.")
	f.DurationVar(&v.MaxWait, "max-wait", time.Minute, "The longest time for a response, or that Retry-After may ask for.")
	f.BoolVar(&v.Slow, "slow", false, "Also run the cases that take more than ten seconds.")
	f.BoolVar(&v.Exhaust, "exhaust", false, "Also use up the rate limit, to see that it is enforced. Not from an IP address that others share.")
	f.BoolVar(&v.Proxied, "proxied", false, "Leave out the cases that a proxy in front of the deployment handles itself, such as an unknown Host.")
	f.BoolVar(&v.RESTOnly, "rest-only", false, "Leave out MCP, for a deployment that does not serve it.")
	f.BoolVarP(&v.Quiet, "quiet", "q", false, "Print only failures, warnings and the summary.")
	_ = command.MarkFlagDirname("cases") // fails only for an unknown flag
	return command
}

// errUnverified means that a case failed.
var errUnverified = errors.New("the deployment breaks the contract")

// run runs the cases against the deployment and writes the report.
func (v *verifyCommand) run(ctx context.Context, std streams) error {
	std.out = printable.Writer{To: std.out} // people read it, in a build's log, too
	if v.JUnit == "" {
		_, err := v.verify(ctx, std)
		return err
	}
	file, err := os.Create(v.JUnit)
	if err != nil {
		return err
	}
	results, err := v.verify(ctx, std)
	// An error that ended the run early is a failure in the report: without it, the
	// report would look like a complete run.
	if err != nil && !errors.Is(err, errUnverified) && !errors.Is(err, verify.ErrNoDescription) {
		results = append(results, verify.Result{
			Case:   verify.Case{Name: "the run", Rule: "it is incomplete"},
			Failed: []string{printable.Text(err.Error())},
		})
	}
	return errors.Join(err, verify.JUnit(file, results), file.Close())
}

// verify runs the selected cases and prints their results.
func (v *verifyCommand) verify(ctx context.Context, std streams) ([]verify.Result, error) {
	options, err := v.options()
	if err != nil {
		return nil, &usageError{err}
	}
	list, err := v.list(options.Only)
	if err != nil {
		return nil, err
	}
	options.Report = func(r verify.Result) { v.print(std, r) }
	results, err := verify.Run(ctx, list, options)
	if ctx.Err() != nil { // a summary would look complete
		return results, errInterrupted
	}
	if errors.Is(err, verify.ErrNoDescription) {
		return results, err // the only result contains the same message
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

// options checks the flags and returns them as options.
func (v *verifyCommand) options() (verify.Options, error) {
	for flag, value := range map[string]string{"URL": v.BaseURL, "--base-url": v.Public} {
		if err := cli.CheckServer(value); value != "" && err != nil {
			return verify.Options{}, fmt.Errorf("%s: %w", flag, err)
		}
	}
	only, err := regexp.Compile(v.Names)
	if err != nil {
		return verify.Options{}, fmt.Errorf("--only: %w", err)
	}
	if v.MaxWait < time.Second || v.MaxWait > time.Hour {
		return verify.Options{}, errors.New("--max-wait: must be a duration from 1s to 1h")
	}
	header := http.Header{}
	for _, text := range v.Headers {
		name, value, found := strings.Cut(text, ":")
		value = strings.TrimSpace(value)
		// The value is a secret, so the message does not repeat it.
		if !found || value == "" || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || strings.EqualFold(name, "Host") {
			return verify.Options{}, errors.New("--header: must be NAME:VALUE, such as X-Api-Key:KEY, and not Host")
		}
		header.Add(name, value)
	}
	options := v.Options
	options.Header, options.Only, options.Direct = header, only, !v.Proxied
	return options, nil
}

// list reads the cases. It is wrong usage to select none: the build would pass without a test.
func (v *verifyCommand) list(only *regexp.Regexp) ([]verify.Case, error) {
	list, err := verify.Builtin()
	if v.Cases != "" {
		list, err = verify.Load(os.DirFS(v.Cases))
	}
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &usageError{errors.New("--cases: the folder has no cases (*.yaml)")}
	}
	selected := func(c verify.Case) bool { return only.MatchString(c.Name) }
	if !slices.ContainsFunc(list, selected) {
		return nil, &usageError{errors.New("--only: no case's name matches")}
	}
	return list, nil
}

func (v *verifyCommand) print(std streams, r verify.Result) {
	indented := func(text string) string { return strings.ReplaceAll(text, "\n", "\n      ") }
	switch {
	case len(r.Failed) > 0:
		fmt.Fprintf(std.out, "FAIL  %s\n      rule: %s\n", r.Case.Name, r.Case.Rule)
		for _, wrong := range r.Failed {
			fmt.Fprintf(std.out, "      %s\n", indented(wrong))
		}
	case v.Quiet:
	case r.Skipped != "":
		fmt.Fprintf(std.out, "skip  %s (%s)\n", r.Case.Name, r.Skipped)
	case len(r.Warned) == 0:
		fmt.Fprintf(std.out, "ok    %s\n", r.Case.Name)
	}
	for _, warning := range r.Warned {
		fmt.Fprintf(std.out, "warn  %s\n      %s\n", r.Case.Name, indented(warning))
	}
}

// summarize prints the totals and why cases were skipped, and reports whether the deployment failed.
func (v *verifyCommand) summarize(std streams, results []verify.Result) (failed bool) {
	failures, warned, skipped := 0, 0, 0
	reasons := map[string]int{}
	for _, r := range results {
		if len(r.Warned) > 0 {
			warned++
		}
		switch {
		case r.Skipped != "":
			skipped++
			reasons[r.Skipped]++
		case len(r.Failed) > 0:
			failures++
		}
	}
	fmt.Fprintf(std.out, "%d cases: %d ok, %d failed, %d skipped", len(results), len(results)-failures-skipped, failures, skipped)
	if warned > 0 {
		fmt.Fprintf(std.out, ", %d with warnings", warned)
	}
	fmt.Fprintln(std.out)
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		fmt.Fprintf(std.out, "skipped: %d, %s\n", reasons[reason], reason)
	}
	if failures > 0 {
		fmt.Fprintln(std.out, "The rules are in docs/contract.md of https://github.com/convertd/convertd.")
	}
	return failures > 0 || len(results) == skipped
}
