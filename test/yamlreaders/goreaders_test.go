package yamlreaders

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	goccy "github.com/goccy/go-yaml"
	yamlv2 "go.yaml.in/yaml/v2"
	yamlv3 "go.yaml.in/yaml/v3"
	yamlv4 "go.yaml.in/yaml/v4"
	sigs "sigs.k8s.io/yaml"

	"github.com/convertd/convertd/internal/jsondoc"
)

// reader is a YAML reader: it returns the value of a document as JSON text.
type reader struct {
	name string
	kind kindOf
	read func(text string) (string, error)
}

var goReaders = []reader{
	{"goccy", kindOf{Order: true, Types: true}, func(text string) (string, error) {
		var value any
		if err := goccy.UnmarshalWithOptions([]byte(text), &value, goccy.UseOrderedMap()); err != nil {
			return "", err
		}
		return jsonOf(value)
	}},
	{"yaml.v2", kindOf{Types: true}, decoded(yamlv2.Unmarshal)},
	{"yaml.v3", kindOf{Types: true}, decoded(yamlv3.Unmarshal)},
	{"yaml.v4", kindOf{Types: true}, decoded(func(text []byte, into any) error { return yamlv4.Unmarshal(text, into) })},
	{"sigs.k8s.io/yaml", kindOf{}, func(text string) (string, error) {
		out, err := sigs.YAMLToJSON([]byte(text))
		return string(out), err
	}},
}

// decoded returns what a library decodes a document into.
func decoded(unmarshal func([]byte, any) error) func(text string) (string, error) {
	return func(text string) (string, error) {
		var value any
		if err := unmarshal([]byte(text), &value); err != nil {
			return "", err
		}
		return jsonOf(value)
	}
}

// jsonOf encodes a reader's value as JSON text that distinguishes integers and floats.
func jsonOf(value any) (string, error) {
	out, err := appendJSON(nil, value)
	return string(out), err
}

func appendJSON(dst []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return jsondoc.AppendString(dst, strings.ToValidUTF8(v, "(not UTF-8)")), nil
	case int:
		return strconv.AppendInt(dst, int64(v), 10), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("the float %v", v)
		}
		return strconv.AppendFloat(dst, v, 'e', -1, 64), nil
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendJSON(dst, item); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case goccy.MapSlice:
		return appendMap(dst, len(v), func(i int) (any, any) { return v[i].Key, v[i].Value })
	case map[string]any:
		return appendMap(dst, len(v), inAnyOrder(v))
	case map[any]any:
		return appendMap(dst, len(v), inAnyOrder(v))
	}
	return nil, fmt.Errorf("a value of type %T", value)
}

func appendMap(dst []byte, n int, member func(i int) (key, value any)) ([]byte, error) {
	dst = append(dst, '{')
	for i := range n {
		key, value := member(i)
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("the key %#v", key)
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsondoc.AppendString(dst, name), ':')
		var err error
		if dst, err = appendJSON(dst, value); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func inAnyOrder[K comparable](m map[K]any) func(i int) (key, value any) {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	return func(i int) (any, any) { return keys[i], m[keys[i]] }
}
