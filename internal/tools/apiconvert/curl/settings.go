package curl

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// setting identifies a value that the source gives a variable. A function sets it whenever it is called.
type setting struct {
	name    string
	written int // the offset of the command
}

func settingOf(s *script.Setting) setting { return setting{s.Name, s.By.Written} }

// takes records that a request has the words of a command, and so the values of the variables in them. Values that are
// not in the request are reported with it.
func (r *reader) takes(cmd *script.Command) {
	for todo := []*script.Command{cmd}; len(todo) > 0; {
		cmd, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if r.taken[cmd] {
			continue
		}
		put(&r.taken, cmd, true)
		todo = append(todo, cmd.Sources...)
		if cmd.Stdin.Kind == script.Text {
			for _, feeder := range cmd.Feeders {
				todo = append(append(todo, feeder), feeder.Runs...)
			}
		}
		for _, s := range cmd.Uses {
			put(&r.kept, settingOf(s), true)
			todo = append(todo, s.By)
		}
	}
}

// ownComments begin the comments from Write, which are about its script.
var ownComments = []string{syntax.SetBefore, syntax.RenamedFrom, syntax.RequiresJQ}

// dropped reports the number of comments that no request has.
func (r *reader) dropped() {
	r.comments = slices.DeleteFunc(r.comments, func(c script.Comment) bool {
		return r.described[c.Text] || slices.ContainsFunc(ownComments, func(own string) bool { return strings.HasPrefix(c.Text, own) })
	})
	if len(r.comments) > 0 {
		r.warnings.Comments(len(r.comments), r.lines.Of(r.comments[0].Offset))
	}
}

// unused reports the settings whose values no request has. One that sends a request is in the model.
func (r *reader) unused() {
	sends := map[*script.Command]bool{} // whether commands that set variables send requests
	for _, s := range r.settings {
		if _, known := sends[s.By]; !known {
			r.budget.Parts(len(s.By.Inner) / 8)
			sends[s.By] = slices.ContainsFunc(s.By.Inner, func(cmd *script.Command) bool { return r.sentBy[cmd] != nil })
		}
		if sends[s.By] {
			put(&r.kept, settingOf(s), true)
		}
	}
	reported := map[string]bool{}
	for _, u := range r.api.Uncaptured {
		reported[u.Variable] = true
	}
	var unused []warning.Named
	for _, s := range r.settings {
		if reported[s.Name] || r.kept[settingOf(s)] {
			continue
		}
		line := r.lines.Of(s.By.Written)
		if r.variables[s.Name] > 0 {
			r.api.Uncaptured = append(r.api.Uncaptured, request.Uncaptured{Variable: s.Name, Line: line})
			reported[s.Name] = true
			continue
		}
		unused = append(unused, warning.Named{Name: s.Name, Line: line})
	}
	r.warnings.AddLines(warning.LostUnusedVariables, unused)
}
