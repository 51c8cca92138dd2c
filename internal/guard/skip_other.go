//go:build !linux

package guard

import "net"

// skip is from.Read.
func skip(from net.Conn, p []byte) (int, error) { return from.Read(p) }
