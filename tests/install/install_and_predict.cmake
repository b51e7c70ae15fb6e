# Installs the build tree BUILD to the scratch folder SCRATCH, trains a small model with the installed programs, then
# configures, builds and runs the program of the folder PREDICTOR against the installed package.
# cmake -D BUILD=... -D SCRATCH=... -D PREDICTOR=... -D GENERATOR=... -D CXX=... -D FLAGS=... -D KOKKOS=... -P <this>
include(${CMAKE_CURRENT_LIST_DIR}/step.cmake)

file(REMOVE_RECURSE ${SCRATCH})
step("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
set(bin ${SCRATCH}/prefix/bin)
set(images ${SCRATCH}/images.h5)
step("make images" ${bin}/bcr-data import synthetic --count 200 --size 8 --seed 1 -o ${images})
step("split them" ${bin}/bcr-data split random --known 3 --background-classes 1 --data ${images} -o ${SCRATCH}/split.toml)
step("train" ${bin}/bcr-train --data.split=${SCRATCH}/split.toml --data.known_train=${images} --data.known_test=${images}
  "--data.background_train=[\"${images}\"]" "--data.unknown_test=[\"${images}\"]" --data.validation=0.3
  --data.known.batch=32 --data.background.batch=16 --model.depth=10 --model.width=1 --train.epochs=1
  --train.warmup_epochs=0 --out ${SCRATCH}/run)

step("configure the predictor" ${CMAKE_COMMAND} -G ${GENERATOR} -S ${PREDICTOR} -B ${SCRATCH}/build -Dbcr_ROOT=${SCRATCH}/prefix
  -DKokkos_DIR=${KOKKOS} -DCMAKE_CXX_COMPILER=${CXX} "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=Release)
step("build the predictor" ${CMAKE_COMMAND} --build ${SCRATCH}/build)
step("run the predictor" ${SCRATCH}/build/predictor ${SCRATCH}/run)
string(REGEX MATCHALL "[^ \n]+ [^ \n]+ -[0-9.e+-]+\n" answers "${step_output}")
list(LENGTH answers count)
if(NOT count EQUAL 10)
  message(FATAL_ERROR "expected ten answers with scores of -D^2, received:\n${step_output}")
endif()
execute_process(COMMAND ${SCRATCH}/build/predictor ${SCRATCH}/split.toml RESULT_VARIABLE result ERROR_VARIABLE text)
if(NOT result EQUAL 1 OR NOT text MATCHES "split.toml")
  message(FATAL_ERROR "expected a sentence that names what is no checkpoint, received (${result}): ${text}")
endif()
