package products

//go:generate -command kernels go run -C ../../sde/internal/kernels/generate
//go:generate kernels . -folder ../../../../internal/products -machine AVX2 -subject strip
//go:generate kernels . -folder ../../../../internal/products -machine AVX512 -subject strip
//go:generate kernels ./wrap ../../../../internal/products
