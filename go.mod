module github.com/convertd/convertd

go 1.26

require (
	github.com/goccy/go-yaml v1.19.2
	github.com/google/go-cmp v0.7.0
)
