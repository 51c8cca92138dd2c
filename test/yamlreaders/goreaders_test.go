package yamlreaders

import (
	"fmt"
	"math"
	"slices"
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
	{"yaml.v2", kindOf{Types: true}, func(text string) (string, error) {
		var value any
		if err := yamlv2.Unmarshal([]byte(text), &value); err != nil {
			return "", err
		}
		return jsonOf(value)
	}},
	{"yaml.v3 nodes", kindOf{Order: true, Types: true}, func(text string) (string, error) {
		var node yamlv3.Node
		if err := yamlv3.Unmarshal([]byte(text), &node); err != nil {
			return "", err
		}
		return jsonOf(&node)
	}},
	{"yaml.v3", kindOf{Types: true}, func(text string) (string, error) {
		var value any
		if err := yamlv3.Unmarshal([]byte(text), &value); err != nil {
			return "", err
		}
		return jsonOf(value)
	}},
	{"yaml.v4", kindOf{Types: true}, func(text string) (string, error) {
		var value any
		if err := yamlv4.Unmarshal([]byte(text), &value); err != nil {
			return "", err
		}
		return jsonOf(value)
	}},
	{"sigs.k8s.io/yaml", kindOf{}, func(text string) (string, error) {
		out, err := sigs.YAMLToJSON([]byte(text))
		return string(out), err
	}},
}

// jsonOf encodes a reader's value as JSON text that distinguishes integers and
// floats.
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
		return appendList(dst, v)
	case goccy.MapSlice:
		return appendMap(dst, len(v), func(i int) (any, any) { return v[i].Key, v[i].Value })
	case map[string]any:
		return appendMap(dst, len(v), inAnyOrder(v))
	case map[any]any:
		return appendMap(dst, len(v), inAnyOrder(v))
	case *yamlv3.Node:
		return appendNode(dst, v)
	}
	return nil, fmt.Errorf("a value of type %T", value)
}

func appendList[T any](dst []byte, items []T) ([]byte, error) {
	dst = append(dst, '[')
	for i, item := range items {
		if i > 0 {
			dst = append(dst, ',')
		}
		var err error
		if dst, err = appendJSON(dst, item); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
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

// appendNode walks the nodes of yaml.v3, which preserve the order of keys.
func appendNode(dst []byte, node *yamlv3.Node) ([]byte, error) {
	switch node.Kind {
	case yamlv3.DocumentNode:
		return appendNode(dst, node.Content[0])
	case yamlv3.SequenceNode:
		return appendList(dst, node.Content)
	case yamlv3.MappingNode:
		pairs := slices.Collect(slices.Chunk(node.Content, 2))
		return appendMap(dst, len(pairs), func(i int) (any, any) {
			var key any
			if err := pairs[i][0].Decode(&key); err != nil {
				key = err
			}
			return key, pairs[i][1]
		})
	case yamlv3.ScalarNode:
		var value any
		if err := node.Decode(&value); err != nil {
			return nil, err
		}
		return appendJSON(dst, value)
	}
	return nil, fmt.Errorf("a node of kind %d", node.Kind)
}
