package matrices

import "gonum.org/v1/gonum/blas/blas64"

// together is the number of rows that are summed side by side. The sum of a row is a chain of additions in
// the order of the entries, and a processor can work on several chains at a time.
const together = 4

// forRows calls f for successive groups of together rows of a matrix, and for the remaining rows. Each call
// of f receives the index of its first row.
func forRows(m blas64.General, f func(first int, rows [][]float64)) {
	var few [together][]float64
	for first := 0; first < m.Rows; first += together {
		rows := few[:min(together, m.Rows-first)]
		for k := range rows {
			rows[k] = m.Data[(first+k)*m.Stride:][:m.Cols]
		}
		f(first, rows)
	}
}

// sums returns the sums of the entries of rows of the same length, for at most together rows.
func sums(rows [][]float64) (totals [together]float64) {
	if len(rows) < together {
		for k, row := range rows {
			totals[k] = sum(row)
		}
		return totals
	}
	x, y, z, w := rows[0], rows[1], rows[2], rows[3]
	y, z, w = y[:len(x)], z[:len(x)], w[:len(x)]
	var a, b, c, d float64
	for k := range x {
		a, b, c, d = a+x[k], b+y[k], c+z[k], d+w[k]
	}
	return [together]float64{a, b, c, d}
}

func sum(row []float64) (total float64) {
	for _, x := range row {
		total += x
	}
	return total
}

// dots returns the inner products of the rows with the others, row by row, for at most together rows.
func dots(rows, others [][]float64) (totals [together]float64) {
	if len(rows) < together {
		for k, row := range rows {
			totals[k] = dot(row, others[k])
		}
		return totals
	}
	x, y, z, w := rows[0], rows[1], rows[2], rows[3]
	n := len(x)
	y, z, w = y[:n], z[:n], w[:n]
	p, q, r, s := others[0][:n], others[1][:n], others[2][:n], others[3][:n]
	var a, b, c, d float64
	for k := range x {
		a += float64(x[k] * p[k])
		b += float64(y[k] * q[k])
		c += float64(z[k] * r[k])
		d += float64(w[k] * s[k])
	}
	return [together]float64{a, b, c, d}
}

func dot(a, b []float64) (total float64) {
	for k := range a {
		total += float64(a[k] * b[k])
	}
	return total
}

// centre subtracts the mean of each row from the entries of the row, for at most as many rows as the constant
// together.
func centre(rows [][]float64) {
	totals := sums(rows)
	for k, row := range rows {
		mean := totals[k] / float64(len(row))
		for j := range row {
			row[j] -= mean
		}
	}
}

// centreRows subtracts the mean of each row of a matrix from the entries of the row.
func centreRows(m blas64.General) {
	forRows(m, func(_ int, rows [][]float64) { centre(rows) })
}

// squaredNorm returns the sum of the squares of all entries of a matrix.
func squaredNorm(m blas64.General) (square float64) {
	forRows(m, func(_ int, rows [][]float64) {
		squares := dots(rows, rows)
		for _, s := range squares[:len(rows)] {
			square += s
		}
	})
	return square
}
