// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.

package rest

import "net/http"

// Pipeline handles POST /v1/pipeline.
func (a *API) Pipeline(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// APIConvert handles POST /v1/tools/api_convert.
func (a *API) APIConvert(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// JSONFormat handles POST /v1/tools/json_format.
func (a *API) JSONFormat(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// JSONToYAML handles POST /v1/tools/json_to_yaml.
func (a *API) JSONToYAML(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// JWTDecode handles POST /v1/tools/jwt_decode.
func (a *API) JWTDecode(w http.ResponseWriter, r *http.Request) { a.run(w, r) }

// TimestampToISO handles POST /v1/tools/timestamp_to_iso.
func (a *API) TimestampToISO(w http.ResponseWriter, r *http.Request) { a.run(w, r) }
