package convertd_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/convertd/convertd"
)

func ExampleJSONFormat() {
	result, err := convertd.JSONFormat(context.Background(), `{"price":1.50,"tags":[]}`, convertd.JSONFormatOptions{Indent: new(4)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Output.Value)
	// Output:
	// {
	//     "price": 1.50,
	//     "tags": []
	// }
}

func ExampleJSONToYAML() {
	result, err := convertd.JSONToYAML(context.Background(), `{"name":"Ada","answer":"no"}`, convertd.JSONToYAMLOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(result.Output.Value)
	// Output:
	// name: Ada
	// answer: "no"
}

func ExampleJWTDecode() {
	result, err := convertd.JWTDecode(context.Background(), "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln", convertd.JWTDecodeOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Output.Value)
	fmt.Println(result.Warnings[0])
	// Output:
	// {
	//   "header": {
	//     "alg": "ES256"
	//   },
	//   "payload": {
	//     "sub": "1234"
	//   }
	// }
	// not_verified: The signature, the issuer, the audience and the expiry were not checked.
}

func ExampleTimestampToISO() {
	result, err := convertd.TimestampToISO(context.Background(), "1700000000.123456789012", convertd.TimestampToISOOptions{Unit: convertd.TimestampUnitSeconds})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Output.Value)
	// Output: 2023-11-14T22:13:20.123456789012Z
}

func ExampleAPIConvert() {
	commands := convertd.Artifact{MediaType: convertd.MediaTypeText, Value: `curl -X DELETE https://api.example.com/orders/7`}
	result, err := convertd.APIConvert(context.Background(), commands, convertd.APIConvertOptions{
		Target: convertd.APIConvertTargetOpenAPI31YAML,
		Paths:  convertd.APIConvertPathsLiteral,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(result.Output.Value)
	// Output:
	// openapi: "3.1.0"
	// info:
	//   title: Example API
	//   version: "1.0.0"
	// servers:
	//   - url: https://api.example.com
	// security: []
	// paths:
	//   /orders/7:
	//     delete:
	//       summary: DELETE /orders/7
	//       operationId: deleteOrders7
	//       responses:
	//         default:
	//           description: Response
}

func ExamplePipeline() {
	token := convertd.Artifact{MediaType: convertd.MediaTypeJWT, Value: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln"}
	result, err := convertd.Pipeline(context.Background(), token, []convertd.Step{
		{ID: "token", Options: convertd.JWTDecodeOptions{}, Return: true},
		{ID: "yaml", Options: convertd.JSONToYAMLOptions{Indent: new(4)}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(result.Output.Value)
	fmt.Println(len(result.Outputs["token"].Value), result.Provenance.Recipe)
	// Output:
	// header:
	//     alg: ES256
	// payload:
	//     sub: "1234"
	// 78 r=1&s=jwt_decode&s=json_to_yaml,indent:4
}

func ExampleParseRecipe() {
	steps, err := convertd.ParseRecipe("https://convert.example.com/editor#r=1&s=json_format,indent:0&s=json_to_yaml")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := convertd.Pipeline(context.Background(), convertd.Artifact{MediaType: convertd.MediaTypeJSON, Value: "[1]"}, steps)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(result.Output.Value)
	// Output: - 1
}

func ExampleProblem() {
	_, err := convertd.JSONFormat(context.Background(), "{\n  \"id\": 1,\n  \"id\": 2\n}", convertd.JSONFormatOptions{})
	if p, ok := errors.AsType[*convertd.Problem](err); ok {
		fmt.Println(p.Code, p.Line, p.Column)
		fmt.Println(p.Hint)
	}
	// Output:
	// duplicate_key 3 3
	// Remove or rename one of them. Names are compared after unescaping.
}

func ExampleWithMaxInput() {
	for _, settings := range [][]convertd.Setting{nil, {convertd.WithMaxInput(16)}} {
		_, err := convertd.JSONFormat(context.Background(), `[1,2,3,4,5,6,7,8,9]`, convertd.JSONFormatOptions{}, settings...)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// schema_violation: The input is longer than 16 characters.
}
