// What make engine compresses with, in a module of its own so that it does not
// become the service's.
module github.com/convertd/convertd/deploy/pack

go 1.26.0

require github.com/andybalholm/brotli v1.2.8
