-- wrk -s post.lua URL -- FILE PATH [FILE PATH]... posts the files to the paths
-- in turn. It prints one line for the harness:
-- answers, microseconds, answers that are not 2xx, other errors, p99 (µs).
local requests, turn = {}, 0

function init(args)
  for i = 1, #args, 2 do
    local file = assert(io.open(args[i], "rb"))
    local headers = { ["Content-Type"] = "application/json", ["Host"] = wrk.host .. ":" .. wrk.port }
    requests[#requests + 1] = wrk.format("POST", args[i + 1], headers, file:read("*a"))
    file:close()
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration, e.status,
    e.connect + e.read + e.write + e.timeout, latency:percentile(99)))
end
