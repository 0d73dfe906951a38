package train

import (
	"slices"
	"strings"

	"antipode/experiments/figure"
)

// variation is the value that a setting has of a parameter that varies among the settings.
type variation struct{ parameter, text string }

// of returns a text with the values of the chosen parameters in a setting.
func (c *learningCurve) of(chosen func(parameter string) bool) string {
	var texts []string
	for _, v := range c.varies {
		if chosen(v.parameter) {
			texts = append(texts, v.text)
		}
	}
	return strings.Join(texts, ", ")
}

// family is a set of settings that are plotted in one panel. They have a common name.
type family struct {
	name  string
	lines []line
}

// line is a setting in a figure.
type line struct {
	*learningCurve
	series int // number that determines the colour and dashes of the line
	name   string
}

// familiesOf groups settings into families. The settings of a family differ in so few parameters that each
// setting has its own colour; the learning rate does not count. It returns nil if there are enough colours
// for all settings. It also returns nil if there are not enough colours for the values of a single parameter.
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

// withinFamilies returns the parameters in which the settings of a family differ. These are the parameter
// with the most values, and further parameters as long as there are enough colours.
func withinFamilies(curves []*learningCurve) (within []string) {
	countWith := func(another string) int { // number of different values of within and another parameter
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
