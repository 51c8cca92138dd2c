package secret

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// The limits in bytes of a function's name and of its arguments up to a key.
const (
	maxFunction  = 32
	maxArguments = 512
)

// keyed matches the end of the name of a function that takes a key. The first group is the argument's position if it isn't
// the second.
var keyed = expression.Lazy(`(?:\b(?:HmacSHA[0-9]{1,3}|HmacMD5|HmacRIPEMD160|create(?:Hmac|Cipheriv|Decipheriv)|` +
	`(?:AES|DES|TripleDES|Rabbit|RabbitLegacy|RC4|RC4Drop)\.(?:en|de)crypt|(?i:jwt|jsonwebtoken)\.(?:sign|verify)|JWS\.verify|SetBasicAuth|HTTPBasicAuth|auth=|logi?n|authenticate)|` +
	`\bJWS\.sign()|\b(?:PBKDF2|pbkdf2Sync|pbkdf2|scryptSync)())$`)

// literal matches the beginning of an argument that is a string, or bytes made from one.
var literal = expression.Lazy(`^[ \t\r\n]*(?:(?:[\w.]*\.parse|Buffer\.from)\()?`)

// call looks for the key among the arguments of a function whose opening parenthesis is at i, and remembers it until the
// search arrives there: what comes before may have secrets of its own.
func (f *finder) call(i int) {
	m := keyed().FindStringSubmatchIndex(f.text[max(f.done, i-maxFunction):i])
	f.scanned += maxFunction
	if m == nil {
		return
	}
	key := 1
	switch {
	case m[2] >= 0:
		key = 3
	case m[4] >= 0:
		key = 0
	}
	from := f.skipArguments(i+1, key)
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
