package schema

import (
	"math/big"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// rational returns a number exactly, nil when it is none or so large or small
// that arithmetic with it would be costly.
func rational(v *tree.Value) *big.Rat {
	if v.Kind() != tree.Number {
		return nil
	}
	text, _ := v.Scalar()
	if len(text) > 60 {
		return nil
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(strings.TrimLeft(text[i+1:], "+-0")) > 2 {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

func isInteger(v *tree.Value) bool {
	r := rational(v)
	return r != nil && r.IsInt()
}

// numberOf returns the JSON number that a text is, nil if it is none.
func numberOf(text string, integer bool) *tree.Value {
	doc, err := tree.ReadJSON(text, nil) // one value, or an error
	if err != nil || doc.Root.Kind() != tree.Number || integer && !isInteger(doc.Root) {
		return nil
	}
	return doc.Root
}

// lexeme writes a number with as many digits as it needs; every decimal
// fraction has an end.
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

// bounds of a number; a nil limit is none.
type bounds struct {
	low, high         *big.Rat
	openLow, openHigh bool // the limit itself is not allowed
	step              *big.Rat
}

func (s *shape) bounds(integer bool) bounds {
	var b bounds
	for _, schema := range s.schemas {
		s.m.budget.Pay(2 + b.digits())
		b.raise(rational(schema.Get("minimum")), schema.Get("exclusiveMinimum").Bool())
		b.raise(rational(schema.Get("exclusiveMinimum")), true)
		b.lower(rational(schema.Get("maximum")), schema.Get("exclusiveMaximum").Bool())
		b.lower(rational(schema.Get("exclusiveMaximum")), true)
		if step := rational(schema.Get("multipleOf")); step != nil && step.Sign() > 0 {
			b.step = leastMultiple(b.step, step)
		}
	}
	if integer {
		b.step = leastMultiple(b.step, big.NewRat(1, 1))
	}
	return b
}

// digits tells how long the step has become: a common multiple of many numbers
// is as long as all of them.
func (b *bounds) digits() int {
	if b.step == nil {
		return 0
	}
	return (b.step.Num().BitLen() + b.step.Denom().BitLen()) / 32
}

func (b *bounds) raise(low *big.Rat, open bool) {
	if low != nil && (b.low == nil || low.Cmp(b.low) > 0 || low.Cmp(b.low) == 0 && open) {
		b.low, b.openLow = low, open
	}
}

func (b *bounds) lower(high *big.Rat, open bool) {
	if high != nil && (b.high == nil || high.Cmp(b.high) < 0 || high.Cmp(b.high) == 0 && open) {
		b.high, b.openHigh = high, open
	}
}

// leastMultiple is the least number that is a multiple of both: of a/b and c/d
// in lowest terms it is lcm(a,c)/gcd(b,d).
func leastMultiple(x, y *big.Rat) *big.Rat {
	if x == nil {
		return y
	}
	common := new(big.Int).GCD(nil, nil, x.Num(), y.Num())
	numerator := new(big.Int).Mul(x.Num(), new(big.Int).Div(y.Num(), common))
	denominator := new(big.Int).GCD(nil, nil, x.Denom(), y.Denom())
	return new(big.Rat).SetFrac(numerator, denominator)
}

func (b *bounds) allow(r *big.Rat) bool {
	if b.low != nil {
		if c := r.Cmp(b.low); c < 0 || c == 0 && b.openLow {
			return false
		}
	}
	if b.high != nil {
		if c := r.Cmp(b.high); c > 0 || c == 0 && b.openHigh {
			return false
		}
	}
	return b.step == nil || new(big.Rat).Quo(r, b.step).IsInt()
}

// number makes 1 where it may be, otherwise the number nearest to the lower
// limit, or to the upper one if there is no lower.
func (s *shape) number(integer bool) *tree.Value {
	b := s.bounds(integer)
	for _, candidate := range b.candidates() {
		if b.allow(candidate) {
			return lexeme(candidate)
		}
	}
	return nil
}

func (b *bounds) candidates() []*big.Rat {
	one := big.NewRat(1, 1)
	list := []*big.Rat{one}
	add := func(r *big.Rat) { list = append(list, r) }
	if b.step != nil {
		add(b.step)
		add(new(big.Rat))
		if b.low != nil {
			at := b.multiple(b.low)
			add(at)
			add(new(big.Rat).Add(at, b.step))
		}
		if b.high != nil {
			at := b.multiple(b.high)
			add(at)
			add(new(big.Rat).Sub(at, b.step))
		}
		return list
	}
	if b.low != nil {
		add(b.low)
		add(new(big.Rat).Add(b.low, one))
	}
	if b.high != nil {
		add(b.high)
		add(new(big.Rat).Sub(b.high, one))
	}
	if b.low != nil && b.high != nil {
		middle := new(big.Rat).Add(b.low, b.high)
		add(middle.Quo(middle, big.NewRat(2, 1)))
	}
	return list
}

// multiple is a multiple of the step next to r.
func (b *bounds) multiple(r *big.Rat) *big.Rat {
	q := new(big.Rat).Quo(r, b.step)
	whole := new(big.Int).Quo(q.Num(), q.Denom()) // towards zero
	if b.low == r && q.Sign() > 0 && !q.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	if b.high == r && q.Sign() < 0 && !q.IsInt() {
		whole.Sub(whole, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), b.step)
}

// numberAfter is the i-th different number behind v, nil if it is out of
// bounds.
func (s *shape) numberAfter(v *tree.Value, i int) *tree.Value {
	r := rational(v)
	if r == nil {
		return nil
	}
	types, _ := s.types()
	b := s.bounds(len(types) == 1 && types[0] == "integer")
	step := b.step
	if step == nil {
		step = big.NewRat(1, 1)
	}
	r = new(big.Rat).Add(r, new(big.Rat).Mul(step, big.NewRat(int64(i), 1)))
	if !b.allow(r) {
		return nil
	}
	return lexeme(r)
}
