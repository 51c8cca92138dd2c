package posix

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// In a function, which is read again for each call, the tests of an if, and those before && and ||, are evaluated as far as
// the arguments of the call decide them. Commands that don't run are read, but neither evaluated nor kept. What a
// command prints is assumed to be set; the branch then counts as conditional, which is reported. All branches that depend
// on a variable without a known value are kept, as conditional.

// verdict is the outcome of a test.
type verdict int8

const (
	isFalse verdict = iota - 1
	undecided
	isTrue
)

func verdictOf(holds bool) verdict {
	if holds {
		return isTrue
	}
	return isFalse
}

// branches is the state of an if.
type branches struct {
	testing bool    // the commands between if or elif and then are read
	test    verdict // the outcome of the last of them
	tests   int     // how many they are; the outcome of several is not known
	assumed bool    // the outcome of a test so far is that of a value that is set
	ran     verdict // isTrue if an earlier branch runs, isFalse if none does
	dead    bool    // the branch that is being read does not run
}

// runs reports whether the commands that are being read run.
func (r *Reader) runs() bool {
	top := r.top()
	return !r.Lists.dead && !r.Lists.skips && (top == nil || !top.dead && !top.never)
}

// tested records the outcome of a test.
func (r *Reader) tested(v verdict, words []script.Word) {
	if r.Lists.outcome = undecided; len(r.active) == 0 {
		return
	}
	assumed := false
	for _, p := range slices.Concat(words...) {
		assumed = assumed || p.Kind != script.Literal
		if p.Kind == script.Variable {
			v = undecided
		}
	}
	if !assumed {
		r.Lists.outcome = v
	}
	if top := r.top(); top != nil && top.testing {
		top.test = v
		top.tests++
		top.assumed = top.assumed || assumed
	}
}

// untested records that the outcome of a test being read is not that of its command.
func (r *Reader) untested() {
	if top := r.top(); top != nil {
		top.tests++
	}
}

// branch begins the part of an if after a reserved word.
func (r *Reader) branch(word string) {
	top := r.top()
	if len(r.active) == 0 || top == nil || top.kind != conditional {
		return
	}
	b := &top.branches
	b.dead = false
	switch word {
	case "if":
		*b = branches{testing: true, ran: isFalse}
	case "elif":
		b.testing, b.tests = true, 0
	case "then", "else":
		v := b.test
		switch {
		case word == "else":
			v = isTrue
		case b.tests != 1:
			v = undecided
		}
		if b.ran != isFalse {
			v = min(v, -b.ran)
		}
		b.testing, b.dead = false, v == isFalse
		if b.ran = max(b.ran, v); v == isTrue && !b.assumed {
			top.within &^= script.Conditional
		} else {
			top.within |= script.Conditional
		}
	}
}

// testOf returns the outcome of the words of [ or [[, without brackets and operators between tests.
func testOf(words []script.Word) verdict {
	if len(words) > 0 && script.IsLiteral(words[0], "!") {
		return -testOf(words[1:])
	}
	switch {
	case len(words) == 1:
		return verdictOf(len(words[0]) > 0)
	case len(words) == 2 && script.IsLiteral(words[0], "-n"):
		return verdictOf(len(words[1]) > 0)
	case len(words) == 2 && script.IsLiteral(words[0], "-z"):
		return verdictOf(len(words[1]) == 0)
	case len(words) != 3:
		return undecided
	}
	left, known := words[0].Literal()
	right, constant := words[2].Literal()
	operator, _ := words[1].Literal()
	if !known || !constant || script.ContainsAny(right, "*", "?", "[") {
		return undecided
	}
	switch operator {
	case "=", "==":
		return verdictOf(left == right)
	case "!=":
		return verdictOf(left != right)
	}
	return undecided
}

// bracketTest returns the outcome of a command, which is a test if it is [ or test.
func bracketTest(cmd *script.Command) verdict {
	words := cmd.Words
	switch cmd.CommandName() {
	case "[":
		if n := len(words) - 1; n > 0 && script.IsLiteral(words[n], "]") {
			words = words[:n]
		}
	case "test":
	default:
		return undecided
	}
	if slices.ContainsFunc(words[1:], func(w script.Word) bool { return script.IsLiteral(w, "-a") || script.IsLiteral(w, "-o") }) {
		return undecided
	}
	return testOf(words[1:])
}
