package guard

import (
	"sync"
	"sync/atomic"
)

// discard reads to EOF, an error, or limit bytes. When requests are shed, this is most of the cost of a rejection, so
// it uses large buffers unless many run at once. Then it also reads no more than crowdBytes.
func discard(read func(p []byte) (int, error), limit int64) {
	pool := &largePieces
	if discarding.Add(1) > manyDiscard {
		pool = &smallPieces
		limit = min(limit, crowdBytes)
	}
	defer discarding.Add(-1)
	piece := pool.Get().(*[]byte)
	defer pool.Put(piece)
	for limit > 0 {
		n, err := read(*piece)
		if err != nil {
			return
		}
		limit -= int64(n)
	}
}

// Buffers are larger than net/http's, so that conn.Read can skip.
var (
	largePieces = sync.Pool{New: func() any { return pieceOf(64 << 10) }}
	smallPieces = sync.Pool{New: func() any { return pieceOf(2 * bufferBytes) }}
	discarding  atomic.Int64
)

const (
	manyDiscard = 64      // at once
	crowdBytes  = 2 << 20 // more than the rest of a body that may be discarded, see leftBytes
)

func pieceOf(bytes int) *[]byte {
	piece := make([]byte, bytes)
	return &piece
}
