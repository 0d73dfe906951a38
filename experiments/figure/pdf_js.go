package figure

import (
	"errors"
	"io"
)

// WritePDF is an error in a browser, whose page offers PNG and SVG: the code of PDF would be a part of what
// it loads.
func (f *Figure) WritePDF(io.Writer) error { return errors.New("figure: no PDF in a browser") }
