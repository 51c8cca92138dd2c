// Package contract holds the contract's cases as data: what a request must be
// answered with, by any deployment. README.md says how to read them.
package contract

import "embed"

// Cases are the YAML files of this folder.
//
//go:embed *.yaml
var Cases embed.FS
