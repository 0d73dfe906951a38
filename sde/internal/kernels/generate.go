package kernels

//go:generate go run -C generate . -machine AVX2 -subject functions -pkg kernels -out ../functions_avx2_amd64.s -stubs ../functions_avx2_amd64.go
//go:generate go run -C generate . -machine AVX2 -subject layers -pkg kernels -out ../layers_avx2_amd64.s -stubs ../layers_avx2_amd64.go
//go:generate go run -C generate . -machine AVX2 -subject random -pkg kernels -out ../random_avx2_amd64.s -stubs ../random_avx2_amd64.go
//go:generate go run -C generate . -machine AVX2 -subject chain -pkg kernels -out ../chain_avx2_amd64.s -stubs ../chain_avx2_amd64.go
//go:generate go run -C generate . -machine AVX2 -subject hybrid -pkg kernels -out ../hybrid_avx2_amd64.s -stubs ../hybrid_avx2_amd64.go
//go:generate go run -C generate . -machine AVX2 -subject rows -pkg kernels -out ../rows_avx2_amd64.s -stubs ../rows_avx2_amd64.go
//go:generate go run -C generate . -machine AVX512 -subject functions -pkg kernels -out ../functions_avx512_amd64.s -stubs ../functions_avx512_amd64.go
//go:generate go run -C generate . -machine AVX512 -subject random -pkg kernels -out ../random_avx512_amd64.s -stubs ../random_avx512_amd64.go
//go:generate go run -C generate . -machine AVX512 -subject chain -pkg kernels -out ../chain_avx512_amd64.s -stubs ../chain_avx512_amd64.go
//go:generate go run -C generate . -machine AVX512 -subject hybrid -pkg kernels -out ../hybrid_avx512_amd64.s -stubs ../hybrid_avx512_amd64.go
//go:generate go run -C generate . -machine AVX512 -subject rows -pkg kernels -out ../rows_avx512_amd64.s -stubs ../rows_avx512_amd64.go
//go:generate go run -C generate ./wrap ..
