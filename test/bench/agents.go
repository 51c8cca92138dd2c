package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// agents measures the peak memory of the service after eight concurrent agents
// have each made calls of nearly the largest size over MCP.
func agents(run harness) []row {
	const clients, calls = 8, 12
	// A long wait for a slot keeps all eight calls in flight.
	s := startConvertd(run, "--queue-wait=30s", "--exec-timeout=30s")
	defer s.stop()
	var group sync.WaitGroup
	failures := make(chan error, clients)
	for client := range clients {
		tool := []string{"json_format", "json_to_yaml"}[client%2]
		group.Go(func() {
			for range calls {
				if err := callTool(s.url+"/mcp", tool, largeCall(tool)); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	group.Wait()
	close(failures)
	ok(<-failures)
	return []row{atMost("peak RSS, eight 1 MiB calls over MCP in flight (MiB)", s.mebibytes("VmHWM"), 128)}
}

// largeCall is a tool call just under 1 MiB: an array of small objects.
func largeCall(tool string) []byte {
	var value strings.Builder
	value.WriteString(`[{"id":0}`)
	for i := 1; value.Len() < 800_000; i++ {
		fmt.Fprintf(&value, `,{"id":%d,"name":"Person %d","tags":["a","b"],"score":%d.5}`, i, i, i%100)
	}
	value.WriteString("]")
	arguments, _ := json.Marshal(map[string]any{"input": map[string]string{"mediaType": "application/json", "value": value.String()}})
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// callTool makes a call that has to succeed.
func callTool(url, tool string, body []byte) error {
	response, err := http.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	head := make([]byte, 200)
	n, _ := io.ReadFull(response.Body, head)
	if response.StatusCode != http.StatusOK || bytes.Contains(head[:n], []byte(`"isError":true`)) || len(body) > 1<<20 {
		return fmt.Errorf("%s, %d bytes: status %d: %s", tool, len(body), response.StatusCode, head[:n])
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
