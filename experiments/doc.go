// Package experiments lists the experiments, from which commands, tests and documentation
// come, and reads their tables. They are the only place where simulation (package sde) and
// theory (package overlap) meet. Package run says what an experiment is; the experiments
// themselves are in packages named after their subjects.
//
//	experiment := phase.New()
//	experiment.Dim, experiment.Beta = []int{4}, []float64{0.3, 1.5}
//	table := data.NewTable(run.Schema(experiment, 1)) // seed
//	err := experiment.Run(context.Background(), run.Options{Seed: 1}, table)
//	rows, err := data.RowsOf[phase.Row](table)
//
// An experiment writes its rows to a sink, usually a data.Writer; text and figure
// are made only from the table, so that they can be made again from its file.
package experiments
