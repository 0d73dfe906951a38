package kernels

//go:generate go run -C generate . -machine AVX2 -pkg kernels -out ../avx2_amd64.s -stubs ../avx2_amd64.go
//go:generate go run -C generate . -machine AVX512 -pkg kernels -out ../avx512_amd64.s -stubs ../avx512_amd64.go
