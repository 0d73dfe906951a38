package kernels

//go:generate go run -C generate . -folder .. -machine AVX2 -subject functions
//go:generate go run -C generate . -folder .. -machine AVX2 -subject random
//go:generate go run -C generate . -folder .. -machine AVX2 -subject chain
//go:generate go run -C generate . -folder .. -machine AVX2 -subject hybrid
//go:generate go run -C generate . -folder .. -machine AVX2 -subject rows
//go:generate go run -C generate . -folder .. -machine AVX512 -subject functions
//go:generate go run -C generate . -folder .. -machine AVX512 -subject random
//go:generate go run -C generate . -folder .. -machine AVX512 -subject chain
//go:generate go run -C generate . -folder .. -machine AVX512 -subject hybrid
//go:generate go run -C generate . -folder .. -machine AVX512 -subject rows
//go:generate go run -C generate ./wrap ..
