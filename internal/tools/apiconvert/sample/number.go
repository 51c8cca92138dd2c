package sample

import (
	"math/big"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// rational returns the exact value of a number. It returns nil for other values, and for numbers so large or small
// that computing with them would be expensive.
func rational(v *tree.Value) *big.Rat {
	text, _ := v.Scalar()
	exponent := text[strings.LastIndexAny(text, "eE")+1:]
	if v.Kind() != tree.Number || len(text) > 60 ||
		len(exponent) < len(text) && len(strings.TrimLeft(exponent, "+-0")) > 2 {
		return nil
	}
	r, _ := new(big.Rat).SetString(text)
	return r
}

func isInteger(v *tree.Value) bool {
	r := rational(v)
	return r != nil && r.IsInt()
}

// numberOf returns the JSON number in text, or nil if it isn't one.
func numberOf(text string, integer bool) *tree.Value {
	doc, err := tree.ReadJSON(text, nil) // one value, or an error
	if err != nil || doc.Root.Kind() != tree.Number || integer && !isInteger(doc.Root) {
		return nil
	}
	return doc.Root
}

// lexeme returns r as a JSON number with as many digits as needed, or nil if it has no exact decimal form.
func lexeme(r *big.Rat) *tree.Value {
	if r.IsInt() {
		return tree.NewNumber(r.Num().String())
	}
	text := strings.TrimRight(r.FloatString(120), "0")
	if back, ok := new(big.Rat).SetString(text); !ok || back.Cmp(r) != 0 {
		return nil
	}
	return tree.NewNumber(text)
}

// limit is a minimum or maximum. The zero value imposes none.
type limit struct {
	at   *big.Rat
	open bool // exclusive
}

// tighten sets the limit to at if that is stricter: greater for sign 1, less for sign -1.
func (l *limit) tighten(at *big.Rat, open bool, sign int) {
	if at == nil {
		return
	}
	if l.at == nil || sign*at.Cmp(l.at) > 0 || at.Cmp(l.at) == 0 && open {
		*l = limit{at, open}
	}
}

func (l *limit) allows(r *big.Rat, sign int) bool {
	if l.at == nil {
		return true
	}
	c := sign * r.Cmp(l.at)
	return c > 0 || c == 0 && !l.open
}

// bounds holds the constraints on a number.
type bounds struct {
	low, high limit
	steps     []*big.Rat // the number is a multiple of each
}

func (s *shape) bounds(integer bool) bounds {
	var b bounds
	for _, schema := range s.schemas {
		s.m.budget.Pay(2)
		b.low.tighten(rational(schema.Get("minimum")), false, 1)
		b.low.tighten(rational(schema.Get("exclusiveMinimum")), true, 1)
		b.high.tighten(rational(schema.Get("maximum")), false, -1)
		b.high.tighten(rational(schema.Get("exclusiveMaximum")), true, -1)
		if step := rational(schema.Get("multipleOf")); step != nil && step.Sign() > 0 {
			b.steps = append(b.steps, step)
		}
	}
	if integer {
		b.steps = append(b.steps, big.NewRat(1, 1))
	}
	return b
}

func (b *bounds) allow(r *big.Rat) bool {
	return b.low.allows(r, 1) && b.high.allows(r, -1) && !slices.ContainsFunc(b.steps, func(step *big.Rat) bool {
		return !new(big.Rat).Quo(r, step).IsInt()
	})
}

// number returns 1 if that is allowed, otherwise the number closest to the lower limit, or to the upper limit if
// there is no lower one. It returns nil if it finds none, as for several multiples that have to be combined.
func (s *shape) number(integer bool) *tree.Value {
	b := s.bounds(integer)
	for _, candidate := range b.candidates() {
		if b.allow(candidate) {
			return lexeme(candidate)
		}
	}
	return nil
}

// step returns the greatest number that values must be a multiple of, or 1.
func (b *bounds) step() *big.Rat {
	if len(b.steps) == 0 {
		return big.NewRat(1, 1)
	}
	return slices.MaxFunc(b.steps, (*big.Rat).Cmp)
}

func (b *bounds) candidates() []*big.Rat {
	step := b.step()
	list := []*big.Rat{big.NewRat(1, 1)}
	if len(b.steps) > 0 {
		list = append(list, step, new(big.Rat))
	}
	if b.low.at != nil {
		at := b.multiple(b.low.at, step, 1)
		list = append(list, at, new(big.Rat).Add(at, step))
	}
	if b.high.at != nil {
		at := b.multiple(b.high.at, step, -1)
		list = append(list, at, new(big.Rat).Sub(at, step))
	}
	if b.low.at != nil && b.high.at != nil {
		middle := new(big.Rat).Add(b.low.at, b.high.at)
		list = append(list, middle.Quo(middle, big.NewRat(2, 1)))
	}
	return list
}

// multiple returns the nearest multiple of the step that is not below r for sign 1, or not above r for sign -1. If any
// number is a multiple, it returns r.
func (b *bounds) multiple(r, step *big.Rat, sign int) *big.Rat {
	if len(b.steps) == 0 {
		return r
	}
	q := new(big.Rat).Quo(r, step)
	whole := new(big.Int).Quo(q.Num(), q.Denom()) // toward zero
	if q.Sign() == sign && !q.IsInt() {
		whole.Add(whole, big.NewInt(int64(sign)))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}
