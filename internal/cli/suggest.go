package cli

import (
	"strings"
)

// DidYouMean returns "; did you mean X or Y?" with the words of list that a misspelt word is most like, each after prefix,
// or "" if it is like none of them.
func DidYouMean(prefix, word string, list []string) string {
	if near := Closest(word, list); len(near) > 0 {
		return "; did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
	}
	return ""
}

// Closest returns the words of list that begin with word or, if there are none, those with the fewest typing errors
// between them and word: at most two, or one for a short word.
func Closest(word string, list []string) (near []string) {
	word = strings.ToLower(word)
	fewest := 2
	if len(word) < 5 {
		fewest = 1
	}
	for _, candidate := range list {
		if word != "" && strings.HasPrefix(candidate, word) {
			near = append(near, candidate)
		}
	}
	if near != nil || len(word) < 2 {
		return near
	}
	for _, candidate := range list {
		switch n := typos(word, strings.ToLower(candidate)); {
		case n < fewest:
			fewest, near = n, []string{candidate}
		case n == fewest:
			near = append(near, candidate)
		}
	}
	return near
}

// typos counts the bytes to insert, delete or replace that turn a into b.
func typos(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			if a[i] != b[j] {
				diagonal++
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal)
		}
	}
	return row[len(b)]
}
