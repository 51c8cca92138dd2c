package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/cli"
)

// flags adds flags of our own kinds to a command's set.
type flags struct {
	*pflag.FlagSet
	command *cobra.Command
}

// variable is the annotation of a flag with the environment variable that sets it, too.
const variable = "variable"

// choice adds a flag whose value is one of list; the first is the default.
func (f flags) choice(to *string, name, usage string, list ...string) {
	*to = list[0]
	f.Func(name, usage, func(text string) error {
		*to = text
		return cli.OneOf(text, list)
	})
	f.Lookup(name).DefValue = list[0]
	f.complete(name, list)
}

// complete lets completion offer these values of a flag.
func (f flags) complete(name string, values []string) {
	_ = f.command.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for an unknown flag
}

// list adds a flag whose value is a comma-separated list. Repeating the flag appends to the list.
func (f flags) list(to *[]string, name, usage string) {
	f.Func(name, usage, func(text string) error {
		*to = append(*to, slices.DeleteFunc(strings.Split(text, ","), func(item string) bool { return item == "" })...)
		return nil
	})
}

// hideDefaults hides the defaults of flags from the help, because they depend on something else.
func (f flags) hideDefaults(names ...string) {
	for _, name := range names {
		f.Lookup(name).DefValue = "0"
	}
}

// parseSize parses a number with an optional unit: B, KiB, MiB or GiB, or K, M or G for short.
func parseSize(given string) (int64, error) {
	parts := regexp.MustCompile(`^([0-9]{1,10})(?:([KMG])(?:iB)?|B)?$`).FindStringSubmatch(given)
	if parts == nil {
		text := "must be a size such as 1048576, 64MiB or 1GiB"
		if near := regexp.MustCompile(`(?i)^([0-9]{1,10}) ?([kmg])i?b?$`).FindStringSubmatch(given); near != nil {
			text += "; did you mean " + near[1] + strings.ToUpper(near[2]) + "iB?"
		}
		return 0, errors.New(text)
	}
	size, err := strconv.ParseInt(parts[1], 10, 64)
	size <<= map[string]int{"K": 10, "M": 20, "G": 30}[parts[2]]
	if err != nil || size < 1 || size > cli.Most {
		return 0, errors.New("must be from 1 byte to 1GiB")
	}
	return size, nil
}

// fromEnvironment lets the environment set the named flags, or all if none is
// named: CONVERTD_RATE_LIMIT sets --rate-limit.
func (f flags) fromEnvironment(names ...string) {
	f.VisitAll(func(flag *pflag.Flag) {
		if len(names) > 0 && !slices.Contains(names, flag.Name) {
			return
		}
		name := "CONVERTD_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		_ = f.SetAnnotation(flag.Name, variable, []string{name}) // fails only for an unknown flag
		flag.Usage += " ($" + name + ")"
	})
}

// readEnvironment sets flags that are not on the command line from the environment.
func readEnvironment(set *pflag.FlagSet) (err error) {
	set.VisitAll(func(flag *pflag.Flag) {
		names := flag.Annotations[variable]
		if err != nil || len(names) == 0 || flag.Changed {
			return
		}
		text, has := os.LookupEnv(names[0])
		if !has {
			return
		}
		if failed := set.Set(flag.Name, text); failed != nil {
			err = fmt.Errorf("--%s (environment variable %s): %w", flag.Name, names[0], reason(failed))
		}
	})
	return err
}

// expected says what the values of each type of pflag must be.
var expected = map[string]string{
	"bool":     "true or false",
	"int":      "a whole number",
	"duration": "a duration such as 250ms, 10s or 5m",
	"":         "debug, info, warn or error", // a slog.Level
}

// reason returns the error that a flag's value had, without pflag's words.
func reason(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	if what, ok := expected[bad.GetFlag().Value.Type()]; ok {
		return fmt.Errorf("must be %s, not %q", what, bad.GetValue())
	}
	return bad.Unwrap()
}
