package guard

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// emission is the time in which one request refills when perMinute (1 to
// 1,000,000) may pass a minute: whole microseconds, in which both the local and
// the shared count calculate exactly.
func emission(perMinute int) time.Duration {
	return (time.Minute / time.Duration(perMinute)).Truncate(time.Microsecond)
}

// redisClock tells the script the time: that of Redis, in microseconds.
const redisClock = `
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
`

// gcra counts one request by the generic cell rate algorithm, as throttled does
// on this machine (see TestSharedQuotaIsTheLocalOne). The key holds the
// theoretical arrival time: when the quota would be whole again. All times are
// integers in microseconds, which a Lua number holds exactly.
//
// KEYS[1] is the client's key, ARGV[1] the emission interval, ARGV[2] how many
// requests may pass at once. A key further ahead than a full quota reaches
// (ARGV[3]) was written before the clock was set back, and does not count.
// It returns whether the request is refused, how many would pass now, the time
// until the quota is whole, the time until the next request passes (0 when this
// one did), and whether the clock was set back.
const gcra = `
local interval, burst, furthest = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local arrival = tonumber(redis.call("GET", KEYS[1]) or now)
local stepped = arrival - now > furthest
if arrival < now or stepped then
	arrival = now
end
local whole = interval * burst
local after = arrival + interval - now
if after > whole then
	return {1, 0, arrival - now, after - whole, 0}
end
redis.call("SET", KEYS[1], string.format("%.0f", arrival + interval), "PX", math.ceil(after / 1000))
return {0, math.floor((whole - after) / interval), after, 0, stepped and 1 or 0}
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

var errScript = errors.New("the script did not answer with a count")

// take counts one request for key: one command, atomic. stepped says that the
// clock was set back, and the count begins anew. further are arguments for the
// clock.
func (c counter) take(ctx context.Context, key string, further ...any) (v verdict, stepped bool, err error) {
	arguments := append([]any{c.interval.Microseconds(), c.burst, sharedWhole.Microseconds()}, further...)
	n, err := c.script.Run(ctx, c.client, []string{key}, arguments...).Int64Slice()
	if err != nil {
		return verdict{}, false, err
	}
	if len(n) != 5 {
		return verdict{}, false, errScript
	}
	return verdict{
		limited:    n[0] == 1,
		remaining:  int(n[1]),
		resetAfter: time.Duration(n[2]) * time.Microsecond,
		retryAfter: time.Duration(n[3]) * time.Microsecond,
	}, n[4] == 1, nil
}
