// Package experiments lists the experiments, from which commands, tests and documentation
// come, and reads their tables. They are the only place where simulation (package sde) and
// theory (package overlap) meet. Package run says what an experiment is; the experiments
// themselves are in packages named after their subjects.
//
// An experiment writes its rows to a sink, usually a data.Writer; text and figure
// are made only from the table, so that they can be made again from its file.
package experiments
