# cmake -D LIBRARY= -D SOURCE_DIR= -D WORK_DIR= -D PYTHON= -P: audits the PTX of every object in a static library.
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR}/ptx)
execute_process(COMMAND cuobjdump -xptx all ${LIBRARY} WORKING_DIRECTORY ${WORK_DIR}/ptx OUTPUT_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND nvcc --ptx -arch=sm_80 --fmad=false ${SOURCE_DIR}/tests/portability/device_code/vendor_maths.cu
  -o ${WORK_DIR}/vendor_maths.ptx COMMAND_ERROR_IS_FATAL ANY)
file(GLOB files ${WORK_DIR}/ptx/*.ptx)
execute_process(
  COMMAND ${PYTHON} ${SOURCE_DIR}/scripts/audit_ptx.py --sources ${SOURCE_DIR}/kernels --sources ${SOURCE_DIR}/losses
    --vendor-maths ${WORK_DIR}/vendor_maths.ptx ${files}
  COMMAND_ERROR_IS_FATAL ANY)
