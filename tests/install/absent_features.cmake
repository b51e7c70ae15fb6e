# Configures SOURCE with one feature at a time asked for and its library hidden from find_package or, as those of devices, not of use here: each must end with a sentence that names it.
# cmake -D SOURCE=... -D SCRATCH=... -D GENERATOR=... -D CXX=... -D KOKKOS=... -P <this>
file(REMOVE_RECURSE ${SCRATCH})
foreach(feature IN ITEMS ONEDNN:dnnl MKL:MKL MPI:MPI NCCL:NCCL CUBLAS:cuBLAS CUDNN:cuDNN ROCBLAS:rocBLAS MIOPEN:MIOpen)
  string(REPLACE ":" ";" words ${feature})
  list(POP_FRONT words name library)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE} -B ${SCRATCH} --fresh -DKokkos_DIR=${KOKKOS} -DCMAKE_CXX_COMPILER=${CXX}
      -DBCR_ENABLE_TESTS=OFF -DBCR_ENABLE_BENCH=OFF -DBCR_ENABLE_IO=OFF -DBCR_ENABLE_${name}=ON
      -DCMAKE_DISABLE_FIND_PACKAGE_${library}=ON
    RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(result EQUAL 0 OR NOT text MATCHES "${library}")
    message(FATAL_ERROR "BCR_ENABLE_${name}=ON without ${library} should have ended with an error that names it:\n${text}")
  endif()
endforeach()
