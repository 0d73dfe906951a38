// Package experiments lists the experiments, from which commands, tests and documentation are derived, and
// reads their tables. Only experiments combine simulation (package sde) and theory (package overlap). Package
// run defines what an experiment is; the experiments themselves are in packages named after their subjects.
//
//	experiment := phase.New()
//	experiment.Dim, experiment.Beta = []int{4}, []float64{0.3, 1.5}
//	table := data.NewTable(run.Schema(experiment, 1)) // seed
//	err := experiment.Run(context.Background(), run.Options{Seed: 1}, table)
//	rows, err := data.RowsOf[phase.Row](table)
//
// An experiment writes its rows to a sink, usually a data.Writer; the report and the figure are made only
// from the table, so that they can be reproduced from its file.
package experiments
