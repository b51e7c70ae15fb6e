# Installs the build tree BUILD to the scratch folder SCRATCH, then configures, builds and runs the consumer against it. Then
# lets the consumer take the source tree SOURCE for a part of its own, and compile against it.
# cmake -D BUILD=... -D SOURCE=... -D SCRATCH=... -D CONSUMER=... -D GENERATOR=... -D CXX=... -D FLAGS=... -D KOKKOS=... -P <this>
# Other dependencies are found as the build found them: by the environment's CMAKE_PREFIX_PATH.
include(${CMAKE_CURRENT_LIST_DIR}/step.cmake)

file(REMOVE_RECURSE ${SCRATCH})
step("install" ${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
set(consumer_options -G ${GENERATOR} -S ${CONSUMER} -DKokkos_DIR=${KOKKOS} -DCMAKE_CXX_COMPILER=${CXX}
  "-DCMAKE_CXX_FLAGS=${FLAGS}" -DCMAKE_BUILD_TYPE=Release)
step("configure the consumer" ${CMAKE_COMMAND} ${consumer_options} -B ${SCRATCH}/build -Dbcr_ROOT=${SCRATCH}/prefix)
step("build the consumer" ${CMAKE_COMMAND} --build ${SCRATCH}/build)
step("run the consumer" ${SCRATCH}/build/consumer)
step("run an installed program" ${SCRATCH}/prefix/bin/bcr-identity --version)

step("take bcr for a part of the consumer" ${CMAKE_COMMAND} ${consumer_options} -B ${SCRATCH}/whole -DBCR_SOURCE=${SOURCE})
step("compile against it" ${CMAKE_COMMAND} --build ${SCRATCH}/whole --target consumer_object)
