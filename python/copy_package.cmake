# SPDX-License-Identifier: Apache-2.0
#
# Copies the package FROM its sources TO the build, and removes from there what is no longer among the sources: modules of
# an older version would still be imported. `_*` at the top is what the build itself writes: _lbm, its stub, _case_classes.
#   cmake -DFROM=python/lbm -DTO=build/python/lbm -P copy_package.cmake
file(GLOB_RECURSE there LIST_DIRECTORIES true RELATIVE "${TO}" "${TO}/*")
foreach(path ${there})
  if(NOT EXISTS "${FROM}/${path}" AND NOT path MATCHES "^_(lbm\\.|case_classes\\.py)|__pycache__")
    file(REMOVE_RECURSE "${TO}/${path}")
  endif()
endforeach()
execute_process(COMMAND "${CMAKE_COMMAND}" -E copy_directory "${FROM}" "${TO}" COMMAND_ERROR_IS_FATAL ANY)
