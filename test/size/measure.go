package main

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Part is a part of the program and its share of the file in bytes: a module by
// its path, an embedded file, or one of the parts below.
type Part struct {
	Name  string
	Bytes int64
}

// Parts other than modules and files.
const (
	standard = "the standard library"
	own      = "convertd"
	shared   = "types, strings and tables"
)

// Binary is the program as make build builds it for Linux on x86-64, on any
// machine, so that the figures are the same everywhere.
type Binary struct {
	Bytes int64 // of the stripped file
	Parts []Part
}

// command is the program's package.
const command = "./cmd/convertd"

// measure builds the program in the repository at root and measures its parts. The symbols of an unstripped build
// assign each function and variable to a package. What the runtime keeps of each function (its lines and its frames)
// counts towards the function. Embedded files have no symbols.
func measure(root string) (*Binary, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "convertd-size-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	stripped, whole := filepath.Join(folder, "stripped"), filepath.Join(folder, "whole")
	for file, flags := range map[string]string{stripped: "-s -w", whole: "-w"} {
		if _, err := goCommand(root, "build", "-trimpath", "-ldflags", flags, "-o", file, command); err != nil {
			return nil, err
		}
	}
	packages, parts, err := sources(root)
	if err != nil {
		return nil, err
	}
	if err := count(whole, packages, parts); err != nil {
		return nil, err
	}
	about, err := os.Stat(stripped)
	if err != nil {
		return nil, err
	}
	binary := &Binary{Bytes: about.Size()}
	rest := about.Size()
	for name, bytes := range parts {
		rest -= bytes
		binary.Parts = append(binary.Parts, Part{name, bytes})
	}
	binary.Parts = append(binary.Parts, Part{shared, rest})
	slices.SortFunc(binary.Parts, func(a, b Part) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Name, b.Name))
	})
	return binary, nil
}

// goCommand runs the go command for the measured platform.
func goCommand(root string, args ...string) ([]byte, error) {
	run := exec.Command("go", args...)
	run.Dir = root
	run.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOFLAGS=")
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, problems.String())
	}
	return out, nil
}

// sources lists the sources of the program: the part that each package belongs to, and the embedded files.
func sources(root string) (packages map[string]string, files map[string]int64, err error) {
	out, err := goCommand(root, "list", "-deps", "-json=ImportPath,Dir,Module,Standard,EmbedFiles", command)
	if err != nil {
		return nil, nil, err
	}
	packages, files = map[string]string{"main": own}, map[string]int64{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir string
			Module          *struct {
				Path string
				Main bool
			}
			Standard   bool
			EmbedFiles []string
		}
		switch err := decoder.Decode(&p); {
		case errors.Is(err, io.EOF):
			return packages, files, nil
		case err != nil:
			return nil, nil, err
		case p.Standard || p.Module == nil:
			packages[p.ImportPath] = standard
			continue
		case !p.Module.Main:
			packages[p.ImportPath] = p.Module.Path
			continue
		}
		packages[p.ImportPath] = own
		for _, name := range p.EmbedFiles {
			about, err := os.Stat(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, nil, err
			}
			relative, err := filepath.Rel(root, filepath.Join(p.Dir, name))
			if err != nil {
				return nil, nil, err
			}
			files[filepath.ToSlash(relative)] = about.Size()
		}
	}
}

// count adds the symbols of an unstripped binary to parts.
func count(file string, packages map[string]string, parts map[string]int64) error {
	binary, err := elf.Open(file)
	if err != nil {
		return err
	}
	defer binary.Close()
	symbols, err := binary.Symbols()
	if err != nil {
		return err
	}
	functions := map[string]int64{}
	var code int64 // of all functions
	about := int64(binary.Section(".gopclntab").Size)
	for _, symbol := range symbols {
		if symbol.Name == "go:func.*" {
			about += int64(symbol.Size)
		}
		part := packages[packageOf(symbol.Name)]
		if part == "" || int(symbol.Section) >= len(binary.Sections) {
			continue
		}
		switch section := binary.Sections[symbol.Section]; {
		case section.Type == elf.SHT_NOBITS: // not in the file
		case strings.Contains(symbol.Name, "..gobytes."): // an embedded file
		case section.Name == ".text":
			functions[part] += int64(symbol.Size)
			code += int64(symbol.Size)
		default:
			parts[part] += int64(symbol.Size)
		}
	}
	if code == 0 {
		return errors.New("the binary has no symbols")
	}
	for part, bytes := range functions {
		parts[part] += bytes + about*bytes/code
	}
	return nil
}

// packageOf returns the path of the package that a symbol belongs to, "" if none.
// The linker writes a dot in the last part of a path as %2e.
func packageOf(symbol string) string {
	for _, prefix := range []string{"type:.eq.", "type:.hash."} {
		symbol = strings.TrimPrefix(symbol, prefix)
	}
	symbol = strings.TrimLeft(symbol, "*(")
	name, _, _ := strings.Cut(symbol, "[") // type arguments contain paths too
	folder := strings.LastIndexByte(name, '/') + 1
	dot := strings.IndexByte(name[folder:], '.')
	if dot < 0 {
		return ""
	}
	path, err := url.PathUnescape(name[:folder+dot])
	if err != nil {
		return ""
	}
	return path
}
