// Package experiments lists the experiments and reads their tables. The commands of the program, its tests
// and its documentation are derived from the list of experiments. Only experiments combine simulation
// (package sde) and theory (package overlap). Package run defines what an experiment is. Each experiment is
// in a package named after its subject.
//
//	experiment := phase.New()
//	experiment.Dim, experiment.Beta = []int{4}, []float64{0.3, 1.5}
//	table := data.NewTable(run.Schema(experiment, 1)) // seed
//	err := experiment.Run(context.Background(), run.Options{Seed: 1}, table)
//	rows, err := data.RowsOf[phase.Row](table)
//
// An experiment writes its rows to a sink, usually a data.Writer. The report and the figure are made from the
// table alone, so that they can be made again from the file of the table.
package experiments
