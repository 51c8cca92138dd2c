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

// flags are those of a command, and how one is added to them.
type flags struct{ *pflag.FlagSet }

// value is a flag's value; it implements pflag.Value.
type value struct {
	set  func(text string) error
	kind string // what stands for the value in the help: TYPE, FILE and so on
	text string // the default, for the help
}

func (v *value) Set(text string) error { return v.set(text) }
func (v *value) Type() string          { return v.kind }
func (v *value) String() string        { return v.text }

// Annotations of a flag.
const (
	words    = "words"    // the values that it may have
	variable = "variable" // the environment variable that sets it too
)

// add adds a flag whose value read reads into to; its error says what the value
// must be. name has the short form behind a comma, if there is one.
func add[T any](f flags, to *T, name, kind, text, help string, read func(string) (T, error)) *pflag.Flag {
	set := func(text string) (err error) {
		*to, err = read(text)
		return err
	}
	if text != "" {
		if err := set(text); err != nil {
			panic(fmt.Sprintf("the default of --%s: %v", name, err)) // a test builds every flag
		}
	}
	name, short, _ := strings.Cut(name, ",")
	return f.VarPF(&value{set, kind, text}, name, short, help)
}

// text adds a flag of any text.
func (f flags) text(to *string, name, kind, text, help string) {
	add(f, to, name, kind, text, help, func(s string) (string, error) { return s, nil })
}

// choice adds a flag of a few words, of which the first is the default.
func (f flags) choice(to *string, name, help string, list ...string) {
	flag := add(f, to, name, "WORD", list[0], help, func(s string) (string, error) {
		if !slices.Contains(list, s) {
			return "", fmt.Errorf("must be one of %s, not %q", strings.Join(list, ", "), s)
		}
		return s, nil
	})
	flag.Annotations = map[string][]string{words: list}
}

// on adds a flag that needs no value.
func (f flags) on(to *bool, name, help string) {
	add(f, to, name, "bool", "", help, truth).NoOptDefVal = "true"
}

// truth reads what a flag without a value may be given.
func truth(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "yes":
		return true, nil
	case "false", "0", "no":
		return false, nil
	}
	return false, fmt.Errorf("must be true, yes, 1, false, no or 0, not %q", text)
}

// list adds a flag of texts with commas between them; each time that it is given
// adds some.
func (f flags) list(to *[]string, name, kind, help string) {
	add(f, to, name, kind+",...", "", help, func(text string) ([]string, error) {
		some := slices.DeleteFunc(strings.Split(text, ","), func(item string) bool { return item == "" })
		return append(*to, some...), nil
	})
}

// each adds a flag of one text, which may be given several times.
func (f flags) each(to *[]string, name, kind, help string) {
	add(f, to, name, kind, "", help, func(text string) ([]string, error) { return append(*to, text), nil })
}

// whole adds a flag of a whole number; unlessSet has no default to show.
func (f flags) whole(to *int, name string, number int, help string) {
	text := strconv.Itoa(number)
	if number == unlessSet {
		text = ""
	}
	add(f, to, name, "N", text, help, wholeNumber)
}

// wholeNumber reads digits.
func wholeNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fmt.Errorf("must be a whole number, not %q", text)
	}
	return n, nil
}

// duration adds a flag of a time such as 250ms.
func (f flags) duration(to *time.Duration, name, text, help string) {
	add(f, to, name, "DURATION", text, help, span)
}

func span(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("must be a duration such as 250ms, 10s or 5m, not %q", text)
	}
	return d, nil
}

// level adds a flag of which lines a log has.
func (f flags) level(to *slog.Level, name, text, help string) {
	add(f, to, name, "LEVEL", text, help, func(text string) (level slog.Level, err error) {
		if level.UnmarshalText([]byte(text)) != nil {
			err = fmt.Errorf("must be debug, info, warn or error, not %q", text)
		}
		return level, err
	})
}

// size adds a flag of a number of bytes, at least one and at most what an input
// may be.
func (f flags) size(to *int64, name, text, help string) {
	add(f, to, name, "SIZE", text, help, bytesOf)
}

// bytesOf reads digits and a unit, B, KiB, MiB or GiB; K, M and G are short for
// the latter.
func bytesOf(text string) (int64, error) {
	parts := regexp.MustCompile(`^([0-9]{1,10})(?:([KMG])(?:iB)?|B)?$`).FindStringSubmatch(text)
	if parts == nil {
		return 0, errors.New("must be a size such as 1048576, 64MiB or 1GiB")
	}
	size, err := strconv.ParseInt(parts[1], 10, 64)
	size <<= map[string]int{"K": 10, "M": 20, "G": 30}[parts[2]]
	if err != nil || size < 1 || size > cli.Most {
		return 0, errors.New("must be from 1 byte to 1GiB")
	}
	return size, nil
}

// fromEnvironment lets the named flags, all if there are none, be set by the
// environment too: --rate-limit by CONVERTD_RATE_LIMIT.
func (f flags) fromEnvironment(names ...string) {
	f.VisitAll(func(flag *pflag.Flag) {
		if len(names) > 0 && !slices.Contains(names, flag.Name) {
			return
		}
		if flag.Annotations == nil {
			flag.Annotations = map[string][]string{}
		}
		name := "CONVERTD_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))
		flag.Annotations[variable] = []string{name}
		flag.Usage += " ($" + name + ")"
	})
}

// readEnvironment sets the flags that were not given and that the environment
// sets.
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
			err = fmt.Errorf("--%s, from the variable %s: %w", flag.Name, names[0], reason(failed))
		}
	})
	return err
}

// reason is what pflag was told of a value that it did not take.
func reason(err error) error {
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) {
		return bad.Unwrap()
	}
	return err
}
