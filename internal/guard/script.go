package guard

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// emission returns the interval in which one request refills when perMinute (1 to 1,000,000) may pass a minute. It is
// in whole microseconds, in which both the local and the shared count calculate exactly.
func emission(perMinute int) time.Duration {
	return (time.Minute / time.Duration(perMinute)).Truncate(time.Microsecond)
}

// redisClock reads Redis's time for the script, in microseconds.
const redisClock = `
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
`

// gcra counts requests with the generic cell rate algorithm, as throttled does on this machine (see
// TestSharedQuotaMatchesLocal). A key holds the theoretical arrival time: when the quota would be full again. All times
// are integers in microseconds, which a Lua number represents exactly.
//
// KEYS are the clients' keys, ARGV[1] is the emission interval, ARGV[2] is how many requests may pass at once. A key
// further ahead than ARGV[3] was written before the clock was set back, and is ignored. Three arguments per key follow:
// how many requests have passed ahead, how long ago the first of them arrived, and how many wait. Those that have
// passed count from when the first of them arrived, also beyond the quota. For each key the script returns how many
// waiting requests pass, the time until the quota is full, and whether the clock was set back.
const gcra = `
local interval, burst, furthest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local whole = interval * burst
local counts = {}
for i, key in ipairs(KEYS) do
	local ahead, age, requested = tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2]), tonumber(ARGV[3 * i + 3])
	local arrival = tonumber(redis.call("GET", key) or 0)
	local stepped = arrival - now > furthest
	if stepped then
		arrival = now
	end
	if ahead > 0 then
		arrival = math.min(math.max(arrival, now - age) + ahead * interval, now + furthest)
	end
	arrival = math.max(arrival, now)
	local granted = math.max(0, math.min(requested, math.floor((whole - (arrival - now)) / interval)))
	arrival = arrival + granted * interval
	if ahead + granted > 0 and arrival > now then
		redis.call("SET", key, string.format("%.0f", arrival), "PX", math.ceil((arrival - now) / 1000))
	end
	table.insert(counts, granted)
	table.insert(counts, arrival - now)
	table.insert(counts, stepped and 1 or 0)
end
return counts
`

// counter counts requests in Redis.
type counter struct {
	client   *redis.Client
	script   *redis.Script
	interval time.Duration
	burst    int
}

func newCounter(client *redis.Client, clock string, perMinute int) counter {
	return counter{client, redis.NewScript(clock + gcra), emission(perMinute), perMinute}
}

var errScript = errors.New("the script did not return a count")

// count counts the reported requests under the keys with this prefix, in one
// atomic command. further are arguments for the clock.
func (c counter) count(ctx context.Context, prefix string, reports []report, further ...any) ([]standing, error) {
	keys := make([]string, len(reports))
	arguments := []any{c.interval.Microseconds(), c.burst, sharedFurthest.Microseconds()}
	for i, r := range reports {
		keys[i] = prefix + r.account.client
		arguments = append(arguments, r.ahead, r.age.Microseconds(), len(r.waiting))
	}
	n, err := c.script.Run(ctx, c.client, keys, append(arguments, further...)...).Int64Slice()
	if err != nil {
		return nil, err
	}
	if len(n) != 3*len(reports) {
		return nil, errScript
	}
	standings := make([]standing, len(reports))
	for i := range standings {
		standings[i] = standing{int(n[3*i]), time.Duration(n[3*i+1]) * time.Microsecond, n[3*i+2] == 1}
	}
	return standings, nil
}
