// Command pack replaces each file NAME of its arguments by NAME.br, its Brotli form
// (RFC 7932), and NAME.size, which contains the size of NAME in bytes and the
// SHA-256 of NAME.br in hexadecimal.
package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"log"
	"os"

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
	var br bytes.Buffer
	w := brotli.NewWriterOptions(&br, brotli.WriterOptions{Quality: brotli.BestCompression, LGWin: 24})
	if _, err := w.Write(body); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	about := fmt.Appendf(nil, "%d %x\n", len(body), sha256.Sum256(br.Bytes()))
	for suffix, text := range map[string][]byte{".br": br.Bytes(), ".size": about} {
		if err := os.WriteFile(name+suffix, text, 0o644); err != nil {
			return err
		}
	}
	return os.Remove(name)
}
