package products

//go:generate go run -C ../kernels/generate . -folder ../../products -machine AVX2 -subject strip
//go:generate go run -C ../kernels/generate . -folder ../../products -machine AVX512 -subject strip
//go:generate go run -C ../kernels/generate ./wrap ../../products
