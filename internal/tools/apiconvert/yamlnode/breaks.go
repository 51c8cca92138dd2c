package yamlnode

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// oldBreaks are NEL, LS and PS. YAML 1.1 and the library treat them as line breaks, and so reject a document
// with one pasted into it. In YAML 1.2.2, section 5.4, they are ordinary characters.
const oldBreaks = "\u0085\u2028\u2029"

// withoutOldBreaks replaces oldBreaks by other characters of the same lengths that text doesn't contain. It
// also returns a replacer that restores them, or nil if nothing was replaced.
func withoutOldBreaks(text string) (string, *strings.Replacer) {
	if !strings.ContainsAny(text, oldBreaks) {
		return text, nil
	}
	used := charactersOf(text)
	var replace, restore []string
	for _, r := range oldBreaks {
		standIn := '\uE000' // private use
		if r == '\u0085' {
			standIn = '\u00A1'
		}
		for used[standIn] {
			standIn++
		}
		if utf8.RuneLen(standIn) != utf8.RuneLen(r) || standIn == '\uFEFF' { // text has all candidates
			return text, nil
		}
		used[standIn] = true
		replace, restore = append(replace, string(r), string(standIn)), append(restore, string(standIn), string(r))
	}
	return strings.NewReplacer(replace...).Replace(text), strings.NewReplacer(restore...)
}

// charactersOf reports for each character below U+10000 whether text may contain it, literally or as an escape.
func charactersOf(text string) (used [0x10000]bool) {
	for i, r := range text {
		if r < 0x10000 {
			used[r] = true
		}
		digits := 0
		if r == '\\' && i+1 < len(text) {
			digits = map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[i+1]]
		}
		if digits > 0 && i+2+digits <= len(text) {
			if escaped, err := strconv.ParseUint(text[i+2:i+2+digits], 16, 16); err == nil {
				used[escaped] = true
			}
		}
	}
	return used
}
