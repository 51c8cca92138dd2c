//go:build !linux

package guard

import "net"

func skip(from net.Conn, p []byte) (int, error) { return from.Read(p) }
