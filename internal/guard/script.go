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

// gcra counts one request with the generic cell rate algorithm, as throttled does on this machine (see
// TestSharedQuotaMatchesLocal). It is not throttled's store for Redis, which reads and then compares and swaps: while a
// client sends requests in parallel, only one of them succeeds in each round, and the others exceed sharedWait.
//
// KEYS[1] holds the theoretical arrival time: when the quota would be full again. All times are integers in
// microseconds, which a Lua number represents exactly. ARGV[1] is the emission interval, ARGV[2] is how many requests may
// pass at once. A count that is further ahead than ARGV[3] was written before the clock was set back, and is ignored.
// The script returns whether the request passes, and the time until the quota is full.
const gcra = `
local interval, burst, furthest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local arrival = tonumber(redis.call("GET", KEYS[1]) or 0)
if arrival < now or arrival - now > furthest then
	arrival = now
end
if arrival + interval - now > burst * interval then
	return {0, arrival - now}
end
arrival = arrival + interval
redis.call("SET", KEYS[1], string.format("%.0f", arrival), "PX", math.ceil((arrival - now) / 1000))
return {1, arrival - now}
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

// count counts one request under a key, in one atomic command. further are arguments for the clock.
func (c counter) count(ctx context.Context, key string, further ...any) (verdict, error) {
	arguments := append([]any{c.interval.Microseconds(), c.burst, sharedFurthest.Microseconds()}, further...)
	n, err := c.script.Run(ctx, c.client, []string{key}, arguments...).Int64Slice()
	if err != nil {
		return verdict{}, err
	}
	if len(n) != 2 {
		return verdict{}, errScript
	}
	whole, after := time.Duration(c.burst)*c.interval, time.Duration(n[1])*time.Microsecond
	if n[0] == 0 {
		return verdict{limited: true, resetAfter: after, retryAfter: after + c.interval - whole}, nil
	}
	return verdict{remaining: int(max(0, whole-after) / c.interval), resetAfter: after}, nil
}
