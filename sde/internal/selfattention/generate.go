package selfattention

//go:generate go run -C ../kernels/generate . -machine AVX2 -subject attention -pkg selfattention -out ../../selfattention/attention_avx2_amd64.s -stubs ../../selfattention/attention_avx2_amd64.go
//go:generate go run -C ../kernels/generate . -machine AVX2 -subject tokens -pkg selfattention -out ../../selfattention/tokens_avx2_amd64.s -stubs ../../selfattention/tokens_avx2_amd64.go
//go:generate go run -C ../kernels/generate . -machine AVX512 -subject attention -pkg selfattention -out ../../selfattention/attention_avx512_amd64.s -stubs ../../selfattention/attention_avx512_amd64.go
//go:generate go run -C ../kernels/generate . -machine AVX512 -subject tokens -pkg selfattention -out ../../selfattention/tokens_avx512_amd64.s -stubs ../../selfattention/tokens_avx512_amd64.go
//go:generate go run -C ../kernels/generate ./wrap ../../selfattention
