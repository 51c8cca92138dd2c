package jwtdecode

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// joseHeader is what the tool needs from the JOSE header (RFC 7515, section 4).
type joseHeader struct {
	// algNone reports that alg is "none" (RFC 7518, section 3.6), in any case: careless verifiers accept "None" too.
	algNone bool
}

// readHeader reads the members of a header that change how the token is read. It rejects anything but one JSON
// object, and an unencoded payload.
func readHeader(text string) (joseHeader, error) {
	var jose joseHeader
	s := jsondoc.NewScanner(text)
	defer s.Release()
	name := "" // of the member whose value comes next, "" inside the values
	for {
		token, err := s.Next()
		if err != nil {
			return jose, header.jsonError(err)
		}
		if token.Kind == jsondoc.End {
			return jose, nil
		}
		switch {
		case name == "b64" && token.Kind == jsondoc.False:
			return jose, convert.Reject(convert.InvalidJWT,
				"The header says b64: false, so the payload is not base64url (RFC 7797).",
				"Send a JWT with a base64url payload; RFC 7797 does not allow unencoded payloads in JWTs.")
		case name == "alg" && token.Kind == jsondoc.String:
			jose.algNone = strings.EqualFold(token.Content(), "none")
		}
		name = ""
		if token.Kind == jsondoc.Name && s.Depth() == 1 {
			name = token.Content()
		}
	}
}

// notVerified is the warning about every token; appending to it copies it.
var notVerified = []string{convert.WarningNotVerified.Line("The signature, the issuer, the audience and the expiry were not checked.")}

// warnings returns the warnings about a decoded token, in this order.
func warnings(jose joseHeader, signature string, sawUnsafe bool) []string {
	all := notVerified
	if jose.algNone {
		all = append(all, convert.WarningAlgNone.Line("The header's alg is none: the token is not signed, so anyone could have written it."))
	}
	if problem := malformed(jose, signature); problem != "" {
		all = append(all, convert.WarningSignatureMalformed.Line(problem))
	}
	if sawUnsafe {
		all = append(all, convert.WarningUnsafeNumber.Line("Not every parser keeps a number in the token: it is an integer beyond ±9007199254740991, or an IEEE 754 double changes it. Its digits are kept here."))
	}
	return all
}

// malformed returns why a signature is malformed, or "".
func malformed(jose joseHeader, signature string) string {
	switch {
	case jose.algNone && signature != "":
		return "The header's alg is none, but the signature is not empty."
	case jose.algNone:
		return ""
	case signature == "":
		return "The signature is empty, although the header's alg is not none."
	case impossibleLength(signature):
		return "The signature has a length that base64url never has: a character is missing or extra."
	}
	// All characters are in the alphabet, so only the last few can be wrong.
	if _, err := base64url.DecodeString(signature[(len(signature)-1)/4*4:]); err != nil {
		return "The signature's last character has bits set that belong to no byte."
	}
	return ""
}
