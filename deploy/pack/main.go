// Command pack writes each file of its arguments compressed beside it, as
// Brotli (RFC 7932) and as gzip (RFC 1952), its size in bytes with the SHA-256 of
// both in hexadecimal behind it, and removes it: NAME becomes NAME.br, NAME.gz and
// NAME.size.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"slices"

	"github.com/andybalholm/brotli"
)

func main() {
	for _, name := range os.Args[1:] {
		if err := pack(name); err != nil {
			log.Fatal(err)
		}
	}
}

func pack(name string) error {
	body, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var br, gz bytes.Buffer
	if err := write(brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24}), body); err != nil {
		return err
	}
	// The command's longest search finds 1 % more than compress/gzip's.
	command := exec.Command("gzip", "-9", "-n", "-c", name)
	command.Stdout, command.Stderr = &gz, os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	about := fmt.Appendf(nil, "%d %x\n", len(body), sha256.Sum256(append(slices.Clone(br.Bytes()), gz.Bytes()...)))
	for suffix, text := range map[string][]byte{".br": br.Bytes(), ".gz": gz.Bytes(), ".size": about} {
		if err := os.WriteFile(name+suffix, text, 0o644); err != nil {
			return err
		}
	}
	return os.Remove(name)
}

func write(w io.WriteCloser, body []byte) error {
	if _, err := w.Write(body); err != nil {
		return err
	}
	return w.Close()
}
