//go:build !race

package converttest

const slowdown = 1
