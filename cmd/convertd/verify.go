package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/verify"
)

// verifyCommand is convertd verify.
type verifyCommand struct {
	URL     string `arg:"" help:"The deployment's base URL, such as https://convert.example.com."`
	JUnit   string `name:"junit" env:"-" placeholder:"FILE" help:"Also write a JUnit report to FILE."`
	Only    string `env:"-" placeholder:"REGEXP" help:"Run only the cases whose name matches."`
	Cases   string `env:"-" placeholder:"FOLDER" help:"Run the *.yaml cases of FOLDER instead of those built in."`
	Slow    bool   `env:"-" help:"Also run the cases that take more than ten seconds."`
	Exhaust bool   `env:"-" help:"Also use up this address's rate limit, to see that it is enforced; not for an address that others use."`
	Proxied bool   `env:"-" help:"Leave out the cases that a proxy in front of the deployment answers itself, such as an unknown Host."`
	Quiet   bool   `env:"-" short:"q" help:"Only write what failed."`
}

// errUnverified means that a case failed.
var errUnverified = errors.New("the deployment breaks the contract")

// Run runs the cases against the deployment.
func (v *verifyCommand) Run(ctx context.Context, std streams) error {
	std.out = printable.Writer{To: std.out} // for people, in a build's log too
	if !strings.HasPrefix(v.URL, "http://") && !strings.HasPrefix(v.URL, "https://") {
		return &usageError{errors.New("URL: must begin with http:// or https://")}
	}
	only, err := regexp.Compile(v.Only)
	if err != nil {
		return &usageError{fmt.Errorf("--only: %w", err)}
	}
	files := verify.Builtin()
	if v.Cases != "" {
		files = os.DirFS(v.Cases)
	}
	list, err := verify.Load(files)
	if err != nil {
		return err
	}
	failed, skipped := 0, 0
	results, err := verify.Run(ctx, list, verify.Options{
		BaseURL: v.URL,
		Slow:    v.Slow,
		Exhaust: v.Exhaust,
		Direct:  !v.Proxied,
		Only:    only,
		Report: func(r verify.Result) {
			switch {
			case r.Skipped != "":
				skipped++
				v.say(std, "skip  %s (%s)\n", r.Case.Name, r.Skipped)
			case len(r.Failed) > 0:
				failed++
				fmt.Fprintf(std.out, "FAIL  %s\n      rule: %s\n", r.Case.Name, r.Case.Rule)
				for _, wrong := range r.Failed {
					fmt.Fprintf(std.out, "      %s\n", strings.ReplaceAll(wrong, "\n", "\n      "))
				}
			default:
				v.say(std, "ok    %s\n", r.Case.Name)
			}
		},
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%d cases: %d ok, %d failed, %d skipped\n", len(results), len(results)-failed-skipped, failed, skipped)
	if v.JUnit != "" {
		if err := v.report(results); err != nil {
			return err
		}
	}
	if failed > 0 {
		fmt.Fprintln(std.out, "The rules are in docs/contract.md of https://github.com/convertd/convertd.")
	}
	if failed > 0 || len(results) == skipped {
		return errUnverified
	}
	return nil
}

func (v *verifyCommand) say(std streams, format string, args ...any) {
	if !v.Quiet {
		fmt.Fprintf(std.out, format, args...)
	}
}

func (v *verifyCommand) report(results []verify.Result) error {
	file, err := os.Create(v.JUnit)
	if err != nil {
		return err
	}
	return errors.Join(verify.JUnit(file, results), file.Close())
}
