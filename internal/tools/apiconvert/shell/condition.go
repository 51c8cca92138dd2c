package shell

import "strings"

// What is known of a condition. Only in a function that is called with arguments
// is one worked out, and only a single test: elsewhere both branches matter to
// the reader of a script.
type verdict uint8

const (
	undecided verdict = iota
	holds
	fails
)

// condition is the state of an if (XCU 2.9.4.4).
type condition struct {
	asking  bool // between if or elif and then
	tests   int  // commands and tests since then
	verdict verdict
	certain bool // all conditions so far were decided
	taken   bool // a branch before this one was taken
	skipped bool // the branch being read is not
	from    int  // how many commands stand before it
}

// ask begins a condition, behind if or elif.
func (r *reader) ask(f *frame, first bool) {
	r.endBranch(f)
	if first {
		f.certain = r.arguments != nil
	}
	f.asking, f.tests, f.verdict = true, 0, undecided
	if f.taken {
		r.skipBranch(f)
	}
}

// branch begins what stands behind then or else.
func (r *reader) branch(f *frame, otherwise bool) {
	v := f.verdict
	switch {
	case otherwise:
		r.endBranch(f)
		v = holds
	case f.tests != 1 || r.arguments == nil:
		v = undecided
	}
	f.asking = false
	f.certain = f.certain && (v != undecided || f.taken)
	if f.certain {
		f.within &^= Conditional &^ f.outer
	} else {
		f.within |= Conditional
	}
	if f.taken || v == fails {
		r.skipBranch(f)
	}
	f.taken = f.taken || v == holds && !otherwise
}

// skipBranch begins a stretch that is not run.
func (r *reader) skipBranch(f *frame) {
	if !f.skipped {
		f.skipped, f.from = true, len(r.script.Commands)
		r.openScope()
	}
}

// endBranch ends it: its commands are none, and its assignments were not made.
func (r *reader) endBranch(f *frame) {
	if !f.skipped {
		return
	}
	f.skipped = false
	for _, cmd := range r.script.Commands[f.from:] {
		cmd.skipped = true
	}
	r.closeScope(true)
}

// asked notes a command of a condition; words are those of a test, nil of
// anything else.
func (r *reader) asked(words []Word) {
	if f := r.top(); f != nil && f.kind == conditional && f.asking {
		f.tests++
		f.verdict = test(words)
		if words == nil {
			f.tests++
		}
	}
}

// askedCommand notes a simple command of a condition.
func (r *reader) askedCommand(cmd *Command) {
	switch n := len(cmd.Words); cmd.name() {
	case "test":
		r.asked(cmd.Words[1:])
	case "[":
		r.asked(cmd.Words[1:max(1, n-1)])
	default:
		r.asked(nil)
	}
}

// test decides -n, -z, a word alone, = and != (XCU test) of what is known.
func test(words []Word) verdict {
	decide := func(known, is bool) verdict {
		switch {
		case !known:
			return undecided
		case is:
			return holds
		}
		return fails
	}
	op := ""
	if len(words) > 1 {
		op, _ = words[len(words)-2].Literal()
	}
	switch {
	case len(words) == 1, len(words) == 2 && op == "-n":
		return decide(filled(words[len(words)-1]))
	case len(words) == 2 && op == "-z":
		known, is := filled(words[1])
		return decide(known, !is)
	case len(words) == 3 && (op == "=" || op == "==" || op == "!="):
		a, known := words[0].Literal()
		b, also := words[2].Literal()
		return decide(known && also && !strings.ContainsAny(b, "*?["), (a == b) == (op != "!="))
	}
	return undecided
}

// filled reports whether a word is not empty, if that is known.
func filled(w Word) (known, is bool) {
	for _, p := range w {
		if p.Kind == Literal && p.Text != "" {
			return true, true
		}
	}
	return len(w) == 0, false
}
