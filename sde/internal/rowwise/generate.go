package rowwise

//go:generate go run -C ../kernels/generate . -folder ../../rowwise -machine AVX2 -subject rowwise
//go:generate go run -C ../kernels/generate ./wrap ../../rowwise
