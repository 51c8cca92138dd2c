// Package placeholder recognizes what documentation writes for values that the reader provides, and names them:
//
//	Segment("<tenant-id>")                    // tenantId
//	Host("https://YOUR_INSTANCE.example.com") // https://{{instance}}.example.com
//
// In reading order: segment.go (path segments, values, credentials), host.go (hosts and ports).
package placeholder
