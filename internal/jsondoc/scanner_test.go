package jsondoc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func drain(text string) error {
	s := NewScanner(text)
	s.RefuseUnsafe = true
	for {
		token, err := s.Next()
		if err != nil || token.Kind == End {
			return err
		}
	}
}

func TestNamesAcrossTheTable(t *testing.T) {
	// Wide objects inside wide objects: the table is filled, emptied and
	// grown while outer objects are still open.
	var b strings.Builder
	b.WriteString(`{"same":0`)
	for i := range 100 {
		fmt.Fprintf(&b, `,"k%d":{"same":0`, i)
		for j := range i {
			fmt.Fprintf(&b, `,"k%d":%d`, j, j)
		}
		b.WriteString(`}`)
	}
	if err := drain(b.String() + `}`); err != nil {
		t.Fatal(err)
	}
	for _, again := range []string{"same", "k0", "k50", "k99"} {
		if err := drain(b.String() + `,"` + again + `":1}`); err == nil {
			t.Errorf("%s stands twice and passed", again)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u00e9",true,null]}`, `[[],{}]`, `"\ud83d\ude00"`, `-0`, `{"a":1,"\u0061":2}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		if drain(text) == nil && !json.Valid([]byte(text)) {
			t.Errorf("accepts what encoding/json refuses: %q", text)
		}
	})
}
