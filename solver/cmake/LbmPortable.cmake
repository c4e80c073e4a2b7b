# SPDX-License-Identifier: Apache-2.0
#
# LBM_GLIBC: makes liblbm.so and the program run on machines with an older glibc and no libraries but glibc and
# libgcc_s. liblbm.so holds the C++ library; the program and the Python module use that one.
if(LBM_GLIBC)
  # The C++ library is inside, so none is added at the end.
  foreach(list CXX_IMPLICIT CUDA_IMPLICIT CUDA_HOST_IMPLICIT)
    list(REMOVE_ITEM CMAKE_${list}_LINK_LIBRARIES stdc++)
  endforeach()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(sources "${PROJECT_SOURCE_DIR}/solver/cmake")
  set(old_glibc "${PROJECT_BINARY_DIR}/libold_glibc.a")
  foreach(library c m)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=lib${library}.so.6 OUTPUT_VARIABLE file_${library}
      OUTPUT_STRIP_TRAILING_WHITESPACE)
  endforeach()
  execute_process(COMMAND "${Python3_EXECUTABLE}" "${sources}/old_glibc.py" "${file_c}" "${file_m}" --glibc ${LBM_GLIBC}
    --machine ${CMAKE_SYSTEM_PROCESSOR} --compiler "${CMAKE_C_COMPILER}" --ar "${CMAKE_AR}" --out "${old_glibc}"
    COMMAND_ERROR_IS_FATAL ANY)
  add_library(lbm_old_glibc STATIC "${sources}/old_glibc.c")
  set_target_properties(lbm_old_glibc PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # Once more behind all libraries that may call what is in them.
  set(CMAKE_C_STANDARD_LIBRARIES "${PROJECT_BINARY_DIR}/liblbm_old_glibc.a ${old_glibc}")
  set_target_properties(lbm_old_glibc PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(lbm_old_glibc PRIVATE -O2 -ffunction-sections)
endif()

# lbm_make_portable(TARGET [WITH_CXX_LIBRARY]): links TARGET by the C compiler to the functions of LBM_GLIBC, if given.
function(lbm_make_portable target)
  cmake_parse_arguments(ARG "WITH_CXX_LIBRARY" "" "" ${ARGN})
  if(NOT LBM_GLIBC)
    return()
  endif()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
  if(ARG_WITH_CXX_LIBRARY)
    execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libstdc++.a OUTPUT_VARIABLE runtime
      OUTPUT_STRIP_TRAILING_WHITESPACE)
    target_link_libraries(${target} PRIVATE -Wl,--whole-archive ${runtime} -Wl,--no-whole-archive)
  endif()
  # Before glibc 2.34 threads and dlopen() were in libraries of their own.
  target_link_libraries(${target} PRIVATE lbm_old_glibc "${PROJECT_BINARY_DIR}/libold_glibc.a" -Wl,--gc-sections
    -Wl,--exclude-libs,libhdf5.a:libz.a:libmuparser.a:libgomp.a:libcudart_static.a -lgcc_s -Wl,--no-as-needed -l:libpthread.so.0
    -l:libdl.so.2 -l:librt.so.1 -lm)
endfunction()
