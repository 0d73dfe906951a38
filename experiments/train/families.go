package train

import (
	"slices"
	"strings"

	"antipode/experiments/figure"
)

// variation is a parameter that varies among the settings, and the text of its value in one setting.
type variation struct{ parameter, text string }

// of returns a text with the values that the chosen parameters have in a setting.
func (c *learningCurve) of(chosen func(parameter string) bool) string {
	var texts []string
	for _, v := range c.varies {
		if chosen(v.parameter) {
			texts = append(texts, v.text)
		}
	}
	return strings.Join(texts, ", ")
}

// family is a set of settings that are plotted in one panel. The settings of a family have the same values of
// the parameters in its name.
type family struct {
	name  string
	lines []line
}

// line is a setting as a line in a figure.
type line struct {
	*learningCurve
	series int // determines the colour and the dashes of the line
	name   string
}

// familiesOf groups settings into families, one for each panel. The settings of a family differ in so few
// parameters that each setting has its own colour; the learning rate does not count. The result is nil if
// there are enough colours for all settings, or if there are not enough colours for the values of any
// parameter.
func familiesOf(curves []*learningCurve) (families []*family) {
	if len(curves) <= len(figure.SeriesColors) {
		return nil
	}
	within := withinFamilies(curves)
	if within == nil {
		return nil
	}
	isWithin := func(parameter string) bool { return slices.Contains(within, parameter) }
	isBetween := func(parameter string) bool { return parameter != rateName && !isWithin(parameter) }
	var series []string
	for _, c := range curves {
		name, own := c.of(isBetween), c.of(isWithin)
		at := slices.IndexFunc(families, func(f *family) bool { return f.name == name })
		if at < 0 {
			at, families = len(families), append(families, &family{name: name})
		}
		number := slices.Index(series, own)
		if number < 0 {
			number, series = len(series), append(series, own)
		}
		families[at].lines = append(families[at].lines, line{c, number, own})
	}
	return families
}

// withinFamilies returns the parameters in which the settings of a family differ: the parameter with the most
// values, and further parameters as long as there are enough colours.
func withinFamilies(curves []*learningCurve) (within []string) {
	countWith := func(another string) int { // counts combinations with another parameter
		values := map[string]bool{}
		for _, c := range curves {
			values[c.of(func(p string) bool { return p == another || slices.Contains(within, p) })] = true
		}
		return len(values)
	}
	for values := 1; ; {
		best := ""
		most := values
		for _, c := range curves {
			for _, v := range c.varies {
				if v.parameter == rateName {
					continue
				}
				n := countWith(v.parameter)
				if n > most && n <= len(figure.SeriesColors) {
					best, most = v.parameter, n
				}
			}
		}
		if best == "" {
			return within
		}
		within, values = append(within, best), most
	}
}
