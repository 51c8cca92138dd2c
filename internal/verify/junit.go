package verify

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/convertd/convertd/internal/printable"
)

// The parts of a JUnit report that CI systems read: testsuite, testcase, failure and skipped.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	ClassName string        `xml:"classname,attr"`
	Name      string        `xml:"name,attr"`
	Time      string        `xml:"time,attr"`
	Failure   *junitMessage `xml:"failure"`
	Skipped   *junitMessage `xml:"skipped"`
	SystemOut string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes the results as a JUnit report. Control characters, which XML 1.0
// does not allow, are escapes such as \x1b.
func JUnit(w io.Writer, results []Result) error {
	suite := junitSuite{Name: "convertd contract", Tests: len(results)}
	var seconds float64
	for _, r := range results {
		c := junitCase{ClassName: "contract", Name: printable.Text(r.Case.Name), Time: fmt.Sprintf("%.3f", r.Took.Seconds())}
		seconds += r.Took.Seconds()
		if r.Skipped != "" {
			suite.Skipped++
			c.Skipped = &junitMessage{Message: printable.Text(r.Skipped)}
		}
		if len(r.Failed) > 0 {
			suite.Failures++
			c.Failure = &junitMessage{Message: printable.Text(r.Case.Rule), Text: printable.Text(strings.Join(r.Failed, "\n"))}
		}
		if len(r.Warned) > 0 {
			c.SystemOut = printable.Text(strings.Join(r.Warned, "\n"))
		}
		suite.Cases = append(suite.Cases, c)
	}
	suite.Time = fmt.Sprintf("%.3f", seconds)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
