package main

import (
	"bytes"
	"fmt"
	"math"
)

// The two panels of the plot are side by side.
const (
	panelWidth, panelHeight = 380.0, 230.0
	marginLeft, marginTop   = 60.0, 40.0
	panelStep               = 480.0
)

var colours = []string{"#1b6ca8", "#c8553d"}

// plot draws the curves as SVG: logarithmic x axis, linear y axis.
func plot(c curves) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 340" font-family="sans-serif" font-size="12">`+"\n")
	b.WriteString(`<rect width="960" height="340" fill="#fff"/>` + "\n")
	panel(&b, 0, "nanoseconds a byte, by size of the body", c.Size, func(x float64) string { return fmt.Sprintf("%.0f KiB", x/1024) })
	panel(&b, panelStep, "calls a second, by connections", c.Connections, func(x float64) string { return fmt.Sprint(x) })
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func panel(b *bytes.Buffer, offset float64, title string, lines []curve, label func(float64) string) {
	left, bottom := offset+marginLeft, marginTop+panelHeight
	low, high, top := math.Inf(1), 0.0, 0.0
	for _, line := range lines {
		for i := range line.X {
			low, high, top = min(low, line.X[i]), max(high, line.X[i]), max(top, line.Y[i])
		}
	}
	across := func(x float64) float64 { return left + panelWidth*math.Log(x/low)/math.Log(high/low) }
	up := func(y float64) float64 { return bottom - panelHeight*y/top }
	fmt.Fprintf(b, `<text x="%.0f" y="20" font-weight="bold">%s</text>`+"\n", left, title)
	for i := range 5 {
		y := top * float64(i) / 4
		fmt.Fprintf(b, `<path d="M%.1f %.1fh%.0f" stroke="#ddd"/><text x="%.1f" y="%.1f" text-anchor="end">%s</text>`+"\n", left, up(y), panelWidth, left-6, up(y)+4, digits(y))
	}
	for i, x := range lines[0].X {
		if i%2 == 0 {
			fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="middle" font-size="10">%s</text>`+"\n", across(x), bottom+16, label(x))
		}
	}
	for i, line := range lines {
		fmt.Fprintf(b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colours[i])
		for j := range line.X {
			fmt.Fprintf(b, "%.1f,%.1f ", across(line.X[j]), up(line.Y[j]))
		}
		fmt.Fprintf(b, `"/><text x="%.1f" y="%.1f" fill="%s">%s</text>`+"\n", left+float64(i)*140, bottom+40, colours[i], line.Name)
	}
}
