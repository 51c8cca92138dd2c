// Package jwtdecode is the tool jwt_decode: it shows the content of a JSON Web Token without verifying any of it.
//
// The terms are those of RFC 7515 and RFC 7519: a token in compact serialization has three parts separated by
// dots, the header, the payload and the signature, each in base64url.
package jwtdecode

import (
	"context"
	"errors"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Tool decodes a JWT to {"header": …, "payload": …}, indented with two spaces. Member order, number digits and
// string escapes are kept. It takes no key and verifies neither signature nor claims, as its first warning
// says. It doesn't support encrypted tokens.
//
// Header and payload must each be one JSON object (RFC 7519, section 7.2) in strict base64url (RFC 7515, section 2: no
// padding, no line breaks, no stray bits) and strict UTF-8, without duplicate names and at most 256 levels deep.
var Tool = convert.Tool{Name: "jwt_decode", Convert: decode}

func decode(ctx context.Context, in convert.Input) (convert.Result, error) {
	token, err := split(in.Value)
	if err != nil {
		return convert.Result{}, err
	}
	headerText, err := token.text(header)
	if err != nil {
		return convert.Result{}, err
	}
	// The header comes first: it may say that the payload is not base64url.
	jose, err := readHeader(headerText)
	if err != nil {
		return convert.Result{}, err
	}
	payloadText, err := token.text(payload)
	if err != nil {
		return convert.Result{}, err
	}
	if err := token.checkAlphabet(signature); err != nil {
		return convert.Result{}, err
	}

	// Indentation is most of what is added to two flat objects.
	w := writer{ctx: ctx, limit: in.Limit, out: make([]byte, 0, 2*(len(headerText)+len(payloadText))+64)}
	w.member("{\n  \"header\": ", header, headerText)
	w.member(",\n  \"payload\": ", payload, payloadText)
	w.text("\n}")
	if w.err != nil {
		return convert.Result{}, w.err
	}
	return convert.Result{
		Value:    convert.OwnedText(w.out),
		Warnings: warnings(jose, token.raw(signature), w.sawUnsafe),
	}, nil
}

// writer appends to the output until an error occurs.
type writer struct {
	ctx       context.Context
	limit     *convert.OutputLimit
	out       []byte
	sawUnsafe bool
	err       error
}

func (w *writer) text(s string) {
	if w.err != nil {
		return
	}
	w.out = append(w.out, s...)
	if w.limit.Exceeded(w.out) {
		w.err = w.limit.Failure()
	}
}

// member writes lead and then the JSON of a part, one level deep.
func (w *writer) member(lead string, p part, json string) {
	w.text(lead)
	if w.err != nil {
		return
	}
	scanner := jsondoc.NewScanner(json)
	defer scanner.Release()
	layout := jsondoc.Layout{Indent: 2, Level: 1}
	out, err := jsondoc.Format(w.ctx, w.out, scanner, layout, w.limit)
	if err != nil {
		w.err = p.jsonError(err)
		return
	}
	w.out = out
	w.sawUnsafe = w.sawUnsafe || scanner.SawUnsafe
}

// jsonError converts a failure of the part's JSON to one of the token. Its position is in the decoded part. It
// returns other errors unchanged.
func (p part) jsonError(err error) error {
	var f *convert.Failure
	if !errors.As(err, &f) || f.Code == convert.OutputTooLarge {
		return err
	}
	if p == header {
		f = f.Within(convert.InvalidJWT, "In the decoded header:")
	} else {
		f = f.Within(convert.InvalidJWT, "In the decoded payload:")
	}
	return f.WithHint("Copy the whole token again. If it is complete, its issuer must fix it: the header and the payload must each be one valid JSON object. A signed token cannot be corrected by hand.")
}
