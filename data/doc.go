// Package data stores tables in Arrow IPC files. Package data contains schemas with units and meanings,
// metadata of runs, a writer that writes rows as they come, and a reader that checks files. Package data does
// not know what the numbers in a table mean.
//
//	schema := data.Schema{
//		Columns:  data.ColumnsOf[row](),
//		Metadata: []data.Entry{{Key: data.KeySeed, Value: "1"}},
//	}
//	writer, err := data.Create(path, schema)
//
// # Format
//
// A table is stored as one uncompressed Arrow IPC file (Feather version 2), so that
//
//	pandas.read_feather("phase.arrow")
//
// opens the table. Int32, Int64 and Float64 columns have the Arrow types of these names. A Label column is
// dictionary<int8, utf8> (pandas: Categorical). A Vector column is fixed_size_list<float64>[d], whose items
// are never null. The unit and the meaning of a column are metadata of its Arrow field ("unit", "meaning").
// The metadata of a run are metadata of the Arrow schema, in the order of Schema.Metadata, followed by the
// key "pandas", which package data writes so that pandas restores the types of columns.
//
// Checksums of every batch and of the footer are stored between the last batch and the footer, where other
// readers do not look (checks.go).
//
// # Promises
//
// The names in brackets are the names of tests that check a promise.
//
// Durability. A file appears under its name only when it is complete. The rows of a table are written to a
// hidden temporary file in the same folder. When the table is complete, the temporary file is synced and
// renamed, and the folder is synced. After an error, or after Abort, the temporary file is removed, and an
// older file of the same name is unchanged (TestDiskFullAtEveryByte, TestEveryOperationFails,
// TestCannotRename). A temporary file that a killed process has left is used again (TestRemainsOfADeadWriter;
// TestKilledAtAnyInstant in cmd/antipode).
//
// Determinism. Equal tables give equal files, byte for byte, on every machine. The bytes of a file do not
// depend on the number of rows in each call of Write, and do not depend on the bits of a NaN that stands for
// null. The boundaries of the batches of rows depend only on the schema (TestWritesInPiecesGiveTheSameFile,
// TestNaNBitsDoNotMatter, TestRoundTrip; TestGoldenFiles in experiments).
//
// Memory. Writing a table needs memory for one batch of rows, which has at most 65,536 rows and about 16 MiB,
// or a single row if a row is larger. Reading a table needs memory for one batch of the file; the program
// that wrote the file has chosen the size of its batches (TestWritersNeedLittleMemory,
// TestReadFileRefusesBombs).
//
// Damage. A changed bit in a file written by package data is an error, either when the file is opened or when
// the batch with the changed bit is read; a changed bit never changes a number silently
// (TestEveryByteDamaged, TestFlippedBitInEveryBatch, TestMissingChecksums).
//
// Files of other programs can be read if their columns have a counterpart in package data: integers of every
// width, booleans (as labels), floating-point numbers, strings, dictionaries of strings, and lists of
// numbers. The lists of a column must have equal lengths; the lists may be lists of lists. Files of other
// programs may be uncompressed or compressed with LZ4 or Zstandard, and may be Arrow files or Arrow streams.
// If another program has written a table of package data again, Reader.Rewritten reports true.
//
// All other files are refused, and so is any file that is damaged, cut short or made to do harm. The error
// has one line and names the file. No file makes package data panic, run for ever, or take memory out of
// proportion to the batches of the file: package data checks the structure of a file completely before Arrow
// reads any of the file (TestRandomDamage, TestEveryTruncation, TestMadeUpFiles, FuzzReader). Files of other
// programs have no checksums, so a changed bit inside a value is not noticed.
//
// Age. Files of all older versions of package data can be read. A file of every table of every version is
// kept as a test (TestFilesOfAllVersions in experiments).
package data
