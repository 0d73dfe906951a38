package products

//go:generate go run -C ../../sde/internal/kernels/generate . -machine AVX2 -subject products -pkg products -out ../../../../internal/products/strip_avx2_amd64.s -stubs ../../../../internal/products/strip_avx2_amd64.go
//go:generate go run -C ../../sde/internal/kernels/generate . -machine AVX512 -subject products -pkg products -out ../../../../internal/products/strip_avx512_amd64.s -stubs ../../../../internal/products/strip_avx512_amd64.go
