package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// The limits in bytes of a function's name and of its arguments up to a key.
const (
	maxFunction  = 32
	maxArguments = 512
)

// keyArguments has the positions of the keys among the arguments of functions. A name has the object before it where the
// function's own is too common.
var keyArguments = func() map[string]int {
	positions := map[string]int{"PBKDF2": 0, "pbkdf2": 0, "pbkdf2Sync": 0, "scryptSync": 0, "JWS.sign": 3}
	for name := range strings.FieldsSeq("HmacSHA1 HmacSHA224 HmacSHA256 HmacSHA384 HmacSHA512 HmacSHA3 HmacMD5 HmacRIPEMD160 " +
		"createHmac createCipheriv createDecipheriv JWS.verify SetBasicAuth HTTPBasicAuth auth= login authenticate") {
		positions[name] = 1
	}
	for object := range strings.FieldsSeq("AES DES TripleDES Rabbit RabbitLegacy RC4 RC4Drop") {
		positions[object+".encrypt"], positions[object+".decrypt"] = 1, 1
	}
	for object := range strings.FieldsSeq("jwt JWT Jwt jsonwebtoken jsonWebToken JsonWebToken") {
		positions[object+".sign"], positions[object+".verify"] = 1, 1
	}
	return positions
}()

// keyArgument returns the position of the key among the arguments of the function whose name a text ends with.
func keyArgument(text string) (position int, ok bool) {
	at := len(strings.TrimSuffix(text, "="))
	for range 2 {
		for at > 0 && inWord[text[at-1]] {
			at--
		}
		position, ok = keyArguments[text[at:]]
		if ok || at == 0 || text[at-1] != '.' {
			break
		}
		at--
	}
	return position, ok
}

// literal matches the beginning of an argument that is a string, or bytes made from one.
var literal = expression.Lazy(`^[ \t\r\n]*(?:(?:[\w.]*\.parse|Buffer\.from)\()?`)

// call looks for the key among the arguments of a function whose opening parenthesis is at i, and remembers it until the
// search arrives there: what comes before may have secrets of its own.
func (f *finder) call(i int) {
	f.scanned += maxFunction
	position, ok := keyArgument(f.text[max(f.done, i-maxFunction):i])
	if !ok {
		return
	}
	from := f.skipArguments(i+1, position)
	if from < 0 {
		return
	}
	from += len(literal().FindString(f.text[from:min(len(f.text), from+maxFunction)]))
	if from, to, ok := f.quoted(from, ""); ok {
		key := match{from, to, "secret", true}
		n, _ := slices.BinarySearchFunc(f.ahead, key, lastFirst)
		f.ahead = slices.Insert(f.ahead, n, key)
	}
}

// skipArguments returns where the argument of a position begins, in the arguments that begin at i, or -1.
func (f *finder) skipArguments(i, position int) int {
	depth, quote := 0, byte(0)
	limit := min(len(f.text), i+maxArguments)
	for ; i < limit && position > 0; i++ {
		f.scanned++
		switch c := f.text[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case isQuote(c):
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				return -1
			}
		case c == ',' && depth == 0:
			position--
		}
	}
	if position > 0 {
		return -1
	}
	return i
}

// lastFirst compares matches, to sort them from the end of the text to its beginning.
func lastFirst(a, b match) int { return b.from - a.from }

// pending adds the matches ahead that begin at or before i.
func (f *finder) pending(i int) {
	for n := len(f.ahead) - 1; n >= 0 && f.ahead[n].from <= i; n-- {
		f.match(f.ahead[n])
		f.ahead = f.ahead[:n]
	}
}
