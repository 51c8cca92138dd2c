package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/cli"
)

// flags adds flags to a command's set.
type flags struct{ *pflag.FlagSet }

// value is a flag's value; it implements pflag.Value.
type value struct {
	set  func(text string) error
	kind string // the value's placeholder in the help, such as FILE
	text string // the default, for the help
}

func (v *value) Set(text string) error { return v.set(text) }
func (v *value) Type() string          { return v.kind }
func (v *value) String() string        { return v.text }

// Annotations of a flag.
const (
	words    = "words"    // the values that it may have
	variable = "variable" // the environment variable that sets it, too
	group    = "group"    // the heading of the help that lists it
)

// add adds a flag that stores in to what read makes of its value. The error of
// read says what the value must be. name may end in a comma and a short form.
func add[T any](f flags, to *T, name, kind, text, help string, read func(string) (T, error)) *pflag.Flag {
	set := func(text string) (err error) {
		*to, err = read(text)
		return err
	}
	if text != "" {
		if err := set(text); err != nil {
			panic(fmt.Sprintf("the default of --%s: %v", name, err)) // every test of a command adds all flags
		}
	}
	name, short, _ := strings.Cut(name, ",")
	return f.VarPF(&value{set, kind, text}, name, short, help)
}

// text adds a flag with any value.
func (f flags) text(to *string, name, kind, text, help string) {
	add(f, to, name, kind, text, help, func(s string) (string, error) { return s, nil })
}

// choice adds a flag whose value is one of list; the first is the default.
func (f flags) choice(to *string, name, kind, help string, list ...string) {
	flag := add(f, to, name, kind, list[0], help, func(s string) (string, error) { return s, cli.OneOf(s, list) })
	flag.Annotations = map[string][]string{words: list}
}

func (f flags) on(to *bool, name, help string) {
	add(f, to, name, "bool", "", help, boolean).NoOptDefVal = "true"
}

// boolean parses the value of a boolean flag.
func boolean(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		return true, nil
	case "false", "0", "no":
		return false, nil
	}
	return false, fmt.Errorf("must be true, yes, 1, false, no or 0, not %q", text)
}

// list adds a flag whose value is a comma-separated list. Repeating the flag appends to the list.
func (f flags) list(to *[]string, name, kind, help string) {
	add(f, to, name, kind+",...", "", help, func(text string) ([]string, error) {
		some := slices.DeleteFunc(strings.Split(text, ","), func(item string) bool { return item == "" })
		return append(*to, some...), nil
	})
}

// each adds a flag that may be repeated.
func (f flags) each(to *[]string, name, kind, help string) {
	add(f, to, name, kind, "", help, func(text string) ([]string, error) { return append(*to, text), nil })
}

// integer adds a flag with a whole number. The help shows no default for unlessSet.
func (f flags) integer(to *int, name string, number int, help string) {
	text := strconv.Itoa(number)
	if number == unlessSet {
		text = ""
	}
	add(f, to, name, "N", text, help, parseInteger)
}

// parseInteger parses a whole number.
func parseInteger(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("must be a whole number, not %q", text)
	}
	return n, nil
}

// duration adds a flag with a duration such as 250ms.
func (f flags) duration(to *time.Duration, name, text, help string) {
	add(f, to, name, "DURATION", text, help, parseDuration)
}

func parseDuration(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("must be a duration such as 250ms, 10s or 5m, not %q", text)
	}
	return d, nil
}

func (f flags) level(to *slog.Level, name, text, help string) {
	add(f, to, name, "LEVEL", text, help, func(text string) (level slog.Level, err error) {
		if level.UnmarshalText([]byte(text)) != nil {
			err = fmt.Errorf("must be debug, info, warn or error, not %q", text)
		}
		return level, err
	})
}

// size adds a flag with a size in bytes, from 1 byte to the largest possible input.
func (f flags) size(to *int64, name, text, help string) {
	add(f, to, name, "SIZE", text, help, parseSize)
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

// inGroup lists the flags that are in no group yet under a heading of the help.
func (f flags) inGroup(heading string) {
	f.VisitAll(func(flag *pflag.Flag) {
		if flag.Annotations[group] == nil {
			_ = f.SetAnnotation(flag.Name, group, []string{heading})
		}
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

// reason returns the error that a flag's value had, without pflag's words.
func reason(err error) error {
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		return bad.Unwrap()
	}
	return err
}
