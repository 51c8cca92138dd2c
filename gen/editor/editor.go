// Package editor holds the script of the editor page, one module that
// `make editor` writes from those in internal/web/editor.
package editor

import _ "embed"

// Script is an ECMAScript module.
//
//go:embed editor.js
var Script []byte
