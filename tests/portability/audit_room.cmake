# cmake -D ROOM= -D SOURCE_DIR= -D BUILD_DIR= -D PYTHON= -P: audits the PTX of a room, made with the flags of the build.
set(folder ${BUILD_DIR}/ptx)
execute_process(COMMAND ${PYTHON} ${SOURCE_DIR}/scripts/device_ptx.py ${BUILD_DIR} ${folder} ${ROOM}/
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND nvcc --ptx -arch=sm_80 --fmad=false ${SOURCE_DIR}/tests/portability/device_code/vendor_maths.cu
  -o ${folder}/vendor_maths.probe COMMAND_ERROR_IS_FATAL ANY)
file(GLOB files ${folder}/${ROOM}.*.ptx)
execute_process(
  COMMAND ${PYTHON} ${SOURCE_DIR}/scripts/audit_ptx.py --sources ${SOURCE_DIR}/kernels --sources ${SOURCE_DIR}/losses
    --vendor-maths ${folder}/vendor_maths.probe ${files}
  COMMAND_ERROR_IS_FATAL ANY)
# And by a list of what is allowed: the executor knows exact arithmetic only.
execute_process(COMMAND ${LINK_ALL} ${files} COMMAND_ERROR_IS_FATAL ANY)
