package main

// suites are the benchmarks and figures, with the goals of the project.
var suites = []suite{
	{
		folder:  "test/bench",
		pattern: "Tool|Library",
		figures: []figure{
			{"json_format, 500 KB, MB/s : json.Valid + json.Indent", "Tool/json_format/500KB", "Library/json.Indent/500KB", "sec/op", 0, 3},
			{"json_to_yaml, 500 KB, MB/s : goccy JSONToYAML", "Tool/json_to_yaml/500KB", "Library/goccy/500KB", "sec/op", 0, 50},
			{"json_to_yaml, 500 KB, MB/s : sigs.k8s.io/yaml", "Tool/json_to_yaml/500KB", "Library/sigs/500KB", "sec/op", 0, 20},
			{"json_to_yaml, 1 MiB, allocations", "Tool/json_to_yaml/1MiB", "", "allocs/op", 1000, 0},
			{"json_format, ns per byte, 1 MiB : 4 KiB", "Tool/json_format/1MiB", "Tool/json_format/4KiB", "sec/byte", 1.2, 0},
			{"json_to_yaml, ns per byte, 1 MiB : 4 KiB", "Tool/json_to_yaml/1MiB", "Tool/json_to_yaml/4KiB", "sec/byte", 1.2, 0},
			{"jwt_decode, ns per byte, 1 MiB : 4 KiB", "Tool/jwt_decode/1MiB", "Tool/jwt_decode/4KiB", "sec/byte", 1.2, 0},
			{"api_convert OpenAPI → Postman, ns per byte, 900 KB : 7 KB", "Tool/api_convert/900KB", "Tool/api_convert/7KB", "sec/byte", 1.2, 0},
		},
	},
	{
		folder:  "internal/server",
		pattern: "Call|Refusal",
		figures: []figure{
			{"json_format, 2 KB, whole call : bare envelope handler", "Call/json_format/2KB", "Call/bare/2KB", "sec/op", 1.6, 0},
			{"json_to_yaml, 2 KB, whole call : bare envelope handler", "Call/json_to_yaml/2KB", "Call/bare/2KB", "sec/op", 1.6, 0},
			{"jwt_decode, small, whole call : bare envelope handler", "Call/jwt_decode/small", "Call/bare/small", "sec/op", 0, 0},
			{"api_convert, a tiny call that gets no work slot : a served one", "Refusal/refused", "Refusal/served", "sec/op", 0.1, 0},
			{"jwt_decode, small, MCP 2026-07-28 : REST", "Call/mcp/small/2026-07-28", "Call/jwt_decode/small", "sec/op", 6, 0},
			{"jwt_decode, small, MCP 2025-11-25 : REST", "Call/mcp/small/2025-11-25", "Call/jwt_decode/small", "sec/op", 6, 0},
			{"json_format, 500 KB, whole call : bare envelope handler", "Call/json_format/500KB", "Call/bare/500KB", "sec/op", 1.25, 0},
			{"json_to_yaml, 500 KB, whole call : bare envelope handler", "Call/json_to_yaml/500KB", "Call/bare/500KB", "sec/op", 1.8, 0},
			{"json_format, whole call, ns per byte, 850 KB : 4 KiB", "Call/json_format/850KB", "Call/json_format/4KiB", "sec/byte", 1.3, 0},
			{"json_to_yaml, whole call, ns per byte, 850 KB : 4 KiB", "Call/json_to_yaml/850KB", "Call/json_to_yaml/4KiB", "sec/byte", 1.3, 0},
		},
	},
}
