package figure

import (
	"errors"
	"io"
)

// WritePDF returns an error in a browser, where only PNG and SVG are offered. The code for PDF would enlarge
// the program that the page loads.
func (f *Figure) WritePDF(io.Writer) error { return errors.New("figure: no PDF in a browser") }
