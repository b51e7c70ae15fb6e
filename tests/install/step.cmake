# step(<description> command...)   runs a command, which must succeed; what it said is in step_output.
function(step description)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${description} failed (${result}):\n${text}")
  endif()
  message(STATUS "${description}: done")
  set(step_output "${text}" PARENT_SCOPE)
endfunction()
