// Package editor holds the script of the editor page, one module, and its style,
// which `make editor` writes from internal/web/editor.
package editor

import _ "embed"

// Script is an ECMAScript module.
//
//go:embed editor.js
var Script []byte

// Style is the page's own style sheet.
//
//go:embed editor.css
var Style []byte
