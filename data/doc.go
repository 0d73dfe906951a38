// Package data keeps tables in Arrow IPC files: schemas with units and
// meanings, run metadata, a streaming writer and a guarded reader. It knows
// nothing of what the numbers mean.
//
//	schema := data.Schema{
//		Columns:  data.ColumnsOf[row](),
//		Metadata: []data.Entry{{Key: data.KeySeed, Value: "1"}},
//	}
//	writer, err := data.Create(path, schema)
//
// # Format
//
// A file is one uncompressed Arrow IPC file (Feather version 2), so that
//
//	pandas.read_feather("phase.arrow")
//
// opens it. Int32, Int64 and Float64 columns are the Arrow types of those
// names, a Label column is dictionary<int8, utf8> (pandas: Categorical) and a
// Vector column is fixed_size_list<float64>[d] whose items are never null.
// The unit and the meaning of a column are metadata of its Arrow field
// ("unit", "meaning"); run metadata is metadata of the Arrow schema, in the
// order in which it was given, followed by the key "pandas", which this
// package writes so that pandas restores the types.
//
// Between the last batch and the footer, where no reader looks, stand checksums of every
// batch and of the footer (checks.go).
//
// # Promises
//
// Each with the tests that check it.
//
// Durability. A file appears under its name only when it is whole: the rows go to a
// hidden temporary file in the same folder, which is synced and renamed at the end, and
// the folder is synced. After an error, or after Abort, nothing is left of the temporary
// file and an older file of that name is as it was (TestDiskFullAtEveryByte,
// TestEveryOperationFails, TestCannotRename). What a killed process has
// left is used again (TestRemainsOfADeadWriter; TestKilledAtAnyInstant in cmd/antipode).
//
// Determinism. Equal tables give equal files, byte for byte, on every machine. Neither
// the number of rows handed to each Write nor the bits of a NaN that stands for null make
// a difference: the rows are cut into batches at places that depend only on the schema
// (TestWritesInPiecesGiveTheSameFile, TestNaNBitsDoNotMatter, TestRoundTrip;
// TestGoldenFiles in experiments).
//
// Memory. Writing needs memory for one batch, at most 65,536 rows and about 16 MiB (one row
// where a row alone is larger). Reading needs memory for one batch of the file, which is
// the choice of whoever wrote it (TestWritersNeedLittleMemory, TestReadFileRefusesBombs).
//
// Damage. A changed bit in a file of this package is an error, of the file when it is
// opened or of its batch when it is read, never another number (TestEveryByteDamaged,
// TestFlippedBitInEveryBatch, TestMissingChecksums).
//
// Files of other programs are read where their columns have a counterpart here:
// integers of every width, booleans (as labels), floating-point numbers,
// strings, dictionaries of strings and lists of numbers, of a fixed size or as
// long as each other, also in lists, uncompressed or compressed with LZ4 or
// Zstandard, in files or in streams. A table of this package that another program
// has written again is Rewritten. Anything else, and any file
// that is damaged, cut short or made to do harm, is refused with an error of
// one line that names the file. No file makes this package panic, run for
// ever, or take memory out of proportion to the file's own batches: the
// structure of a file is checked in full before Arrow sees any of it
// (TestRandomDamage, TestEveryTruncation, TestMadeUpFiles, FuzzReader). Such files have no
// checksums, so a changed bit inside a value is not noticed.
//
// Age. Files of older versions are read for ever: one of every table of every version
// is kept (TestFilesOfAllVersions in experiments).
package data
