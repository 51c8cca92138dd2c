// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.

package places

import "github.com/convertd/convertd"

// functions are the Go package's functions, by tool.
var functions = map[string]any{
	"api_convert":      convertd.APIConvert,
	"json_format":      convertd.JSONFormat,
	"json_to_yaml":     convertd.JSONToYAML,
	"jwt_decode":       convertd.JWTDecode,
	"timestamp_to_iso": convertd.TimestampToISO,
}
