package products

//go:generate go run -C ../kernels/generate . -machine AVX2 -subject products -pkg products -out ../../products/strip_avx2_amd64.s -stubs ../../products/strip_avx2_amd64.go
//go:generate go run -C ../kernels/generate . -machine AVX512 -subject products -pkg products -out ../../products/strip_avx512_amd64.s -stubs ../../products/strip_avx512_amd64.go
