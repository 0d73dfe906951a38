package splitting

import (
	"antipode/data"
	"antipode/experiments/run"
	"antipode/sde"
)

// Row is a row of the table of a shard: the result of one repetition of the splitting of a cell.
type Row struct {
	_           struct{} `meaning:"estimate of the probability by one repetition of the splitting"`
	Probability float64  `column:"p_event"`
	_           struct{} `meaning:"number of levels that the trajectories of the repetition have reached"`
	Reached     int64    `column:"levels"`
	_           struct{} `meaning:"number of layers that the repetition has simulated, summed over"`
	_           struct{} `meaning:"trajectories"`
	Layers      int64    `column:"layers" unit:"layers"`
	Split       int64    `column:"split_levels" meaning:"number of levels at which trajectories were split"`
	_           struct{} `meaning:"number of layers that were simulated to choose the levels, summed over"`
	_           struct{} `meaning:"trajectories"`
	Choosing    int64    `column:"choosing_layers" unit:"layers"`
}

// rowsOf returns the table of a shard: one row for each repetition that the shard has run. Each row repeats
// what is known of the levels.
func rowsOf(levels sde.Levels, repetitions []sde.Repetition) (rows []Row) {
	for _, r := range repetitions {
		rows = append(rows, Row{Probability: r.Probability, Reached: r.Levels, Layers: r.Layers,
			Split: int64(len(levels.Scores)), Choosing: levels.Layers})
	}
	return rows
}

// merged reads the rows of the tables of shards. For each cell it returns the repetitions and the number of
// levels, without the scores of the levels.
func merged(shards []*data.Reader, cells int, count int64) (
	levels []sde.Levels, repetitions [][]sde.Repetition, err error,
) {
	levels, repetitions = make([]sde.Levels, cells), make([][]sde.Repetition, cells)
	err = run.MergeRows(shards, cells, count, 1, func(cell int, part *data.Table) error {
		rows, err := data.RowsOf[Row](part)
		for _, r := range rows {
			repetitions[cell] = append(repetitions[cell],
				sde.Repetition{Probability: r.Probability, Levels: r.Reached, Layers: r.Layers})
			levels[cell] = sde.Levels{Scores: make([]float64, r.Split), Layers: r.Choosing}
		}
		return err
	})
	return levels, repetitions, err
}
