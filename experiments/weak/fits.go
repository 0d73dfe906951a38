package weak

import "antipode/sde"

// fitsOf groups the rows by scheme, law and statistic, in the order of their first rows.
func fitsOf(rows []Row) (fits [][]Row) {
	type key struct {
		scheme    Scheme
		law       sde.Law
		statistic Statistic
	}
	at := map[key]int{}
	for _, r := range rows {
		k := key{r.Scheme, r.Law, r.Statistic}
		i, known := at[k]
		if !known {
			i = len(fits)
			at[k] = i
			fits = append(fits, nil)
		}
		fits[i] = append(fits[i], r)
	}
	return fits
}
