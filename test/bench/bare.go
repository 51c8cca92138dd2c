package main

import (
	"encoding/json"
	"net"
	"net/http"
)

// serveBare is the baseline of an ordinary Go service: it decodes and re-encodes
// the envelope with encoding/json and does nothing else.
func serveBare(port string) error {
	return http.ListenAndServe(net.JoinHostPort("127.0.0.1", port), http.HandlerFunc(bare))
}

func bare(w http.ResponseWriter, r *http.Request) {
	type artifact struct {
		MediaType string `json:"mediaType"`
		Value     string `json:"value"`
	}
	var request struct {
		Input   artifact       `json:"input"`
		Options map[string]any `json:"options"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"output": request.Input, "warnings": []string{}})
}
