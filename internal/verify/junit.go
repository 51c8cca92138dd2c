package verify

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/convertd/convertd/internal/printable"
)

// JUnit writes the results as a JUnit report, with what CI systems read of it. Control characters, which XML 1.0 does not
// allow, are escapes such as \x1b.
func JUnit(w io.Writer, results []Result) error {
	var cases strings.Builder
	var failures, skipped int
	var seconds float64
	for _, r := range results {
		seconds += r.Took.Seconds()
		fmt.Fprintf(&cases, "  <testcase classname=\"contract\" name=\"%s\" time=\"%.3f\">\n", escaped(r.Case.Name), r.Took.Seconds())
		if len(r.Failed) > 0 {
			failures++
			fmt.Fprintf(&cases, "    <failure message=\"%s\">%s</failure>\n", escaped(r.Case.Rule), escaped(r.Failed...))
		}
		if r.Skipped != "" {
			skipped++
			fmt.Fprintf(&cases, "    <skipped message=\"%s\"></skipped>\n", escaped(r.Skipped))
		}
		if len(r.Warned) > 0 {
			fmt.Fprintf(&cases, "    <system-out>%s</system-out>\n", escaped(r.Warned...))
		}
		cases.WriteString("  </testcase>\n")
	}
	_, err := fmt.Fprintf(w, "%s<testsuite name=\"convertd contract\" tests=\"%d\" failures=\"%d\" skipped=\"%d\" time=\"%.3f\">\n%s</testsuite>\n",
		xml.Header, len(results), failures, skipped, seconds, &cases)
	return err
}

// escaped returns lines as text for XML.
func escaped(lines ...string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(printable.Text(strings.Join(lines, "\n")))) // a Builder takes everything
	return b.String()
}
