//go:build !js

package figure

import (
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg/vgpdf"
)

// WritePDF writes the figure as PDF. Letters are outlines. Equal figures give equal files.
func (f *Figure) WritePDF(w io.Writer) error { return f.writeOutlined(w, vgpdf.New(f.size())) }

func init() {
	then := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // arbitrary, but always the same
	fpdf.SetDefaultCreationDate(then)
	fpdf.SetDefaultModificationDate(then)
	fpdf.SetDefaultCatalogSort(true)
}
