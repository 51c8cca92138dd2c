// Command pack writes each file of its arguments compressed beside it, as
// Brotli (RFC 7932) and as gzip (RFC 1952), and its size in bytes, and removes
// it: NAME becomes NAME.br, NAME.gz and NAME.size.
package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"log"
	"os"
	"strconv"

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
	w, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := write(w, body); err != nil {
		return err
	}
	for suffix, text := range map[string][]byte{".br": br.Bytes(), ".gz": gz.Bytes(), ".size": []byte(strconv.Itoa(len(body)) + "\n")} {
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
