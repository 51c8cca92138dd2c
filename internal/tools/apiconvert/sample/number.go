package sample

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// float returns the value of a number. ok is false for other values.
func float(v *tree.Value) (n float64, ok bool) {
	if v.Kind() != tree.Number {
		return 0, false
	}
	text, _ := v.Scalar()
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

func isInteger(v *tree.Value) bool {
	n, ok := float(v)
	return ok && n == math.Trunc(n)
}

// numberOf returns the JSON number in text, or nil if it isn't one.
func numberOf(text string, integer bool) *tree.Value {
	doc, err := tree.ReadJSON(text, nil) // one value, or an error
	if err != nil || doc.Root.Kind() != tree.Number || integer && !isInteger(doc.Root) {
		return nil
	}
	return doc.Root
}

// bounds holds the constraints on a number.
type bounds struct {
	low, high         float64
	lowOpen, highOpen bool
	step              float64 // values are multiples of it; 0 if any number is
}

func (s *shape) bounds(integer bool) bounds {
	b := bounds{low: math.Inf(-1), high: math.Inf(1)}
	if integer {
		b.step = 1
	}
	for _, schema := range s.schemas {
		s.m.budget.Pay(2)
		if n, ok := float(schema.Get("minimum")); ok && n > b.low {
			b.low, b.lowOpen = n, false
		}
		if n, ok := float(schema.Get("exclusiveMinimum")); ok && n >= b.low {
			b.low, b.lowOpen = n, true
		}
		if n, ok := float(schema.Get("maximum")); ok && n < b.high {
			b.high, b.highOpen = n, false
		}
		if n, ok := float(schema.Get("exclusiveMaximum")); ok && n <= b.high {
			b.high, b.highOpen = n, true
		}
		if n, ok := float(schema.Get("multipleOf")); ok && n > b.step {
			b.step = n
		}
	}
	return b
}

func (b *bounds) allow(n float64) bool {
	return (n > b.low || n == b.low && !b.lowOpen) && (n < b.high || n == b.high && !b.highOpen) &&
		!math.IsInf(n, 0) && (b.step == 0 || math.Abs(n/b.step-math.Round(n/b.step)) < tolerance)
}

// tolerance is how far a multiple may be from a whole number, because a double can't represent 0.1 exactly.
const tolerance = 1e-9

// number returns 1 if that is allowed, otherwise the number closest to the lower limit, or to the upper limit if
// there is no lower one. It returns nil if it finds none.
func (s *shape) number(integer bool) *tree.Value {
	b := s.bounds(integer)
	step := cmp.Or(b.step, 1)
	low, high := b.low, b.high
	if b.step > 0 {
		low, high = math.Ceil(low/step)*step, math.Floor(high/step)*step
	}
	candidates := []float64{1, step, 0, low, low + step, high, high - step, (b.low + b.high) / 2}
	if i := slices.IndexFunc(candidates, b.allow); i >= 0 {
		return decimal(candidates[i])
	}
	return nil
}

// decimal returns a number without an exponent, and without the digits that a double adds.
func decimal(n float64) *tree.Value {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 15, 64), 64)
	return tree.NewNumber(strconv.FormatFloat(rounded, 'f', -1, 64))
}
