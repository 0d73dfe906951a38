package products

//go:generate go run -C ../../sde/internal/kernels/generate . -folder ../../../../internal/products -machine AVX2 -subject strip
//go:generate go run -C ../../sde/internal/kernels/generate . -folder ../../../../internal/products -machine AVX512 -subject strip
//go:generate go run -C ../../sde/internal/kernels/generate ./wrap ../../../../internal/products
