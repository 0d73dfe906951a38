package selfattention

//go:generate go run -C ../kernels/generate . -folder ../../selfattention -machine AVX2 -subject attention
//go:generate go run -C ../kernels/generate . -folder ../../selfattention -machine AVX2 -subject tokens
//go:generate go run -C ../kernels/generate . -folder ../../selfattention -machine AVX512 -subject attention
//go:generate go run -C ../kernels/generate . -folder ../../selfattention -machine AVX512 -subject tokens
//go:generate go run -C ../kernels/generate ./wrap ../../selfattention
