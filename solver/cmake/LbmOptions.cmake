# SPDX-License-Identifier: Apache-2.0
#
# Turns the LBM_* options into found packages, compile options and the helper lbm_add_library().

include(LbmInstall)

# --- CUDA: on when a toolkit is found, unless asked otherwise -------------------------------
set(LBM_HAVE_CUDA OFF)
if(NOT LBM_CUDA STREQUAL "OFF")
  include(CheckLanguage)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND EXISTS /usr/local/cuda/bin/nvcc)
    set(CMAKE_CUDA_COMPILER /usr/local/cuda/bin/nvcc)
  endif()
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      # Code for the GPUs that are there: each more architecture takes as long again. Where there is none: for Hopper, with
      # PTX for what comes later.
      execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE capabilities
        ERROR_QUIET RESULT_VARIABLE failed)
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
      list(REMOVE_DUPLICATES capabilities)
      list(TRANSFORM capabilities REPLACE "([0-9]+)\\.([0-9]+)" "\\1\\2-real")
      if(NOT failed EQUAL 0 OR NOT capabilities)
        set(capabilities 90)
      endif()
      set(CMAKE_CUDA_ARCHITECTURES "${capabilities}" CACHE STRING "GPU architectures")
    endif()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    # CMake before 3.25.2 does not know that nvcc 12 and newer speak C++20.
    if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_STANDARD_REQUIRED ON)
    set(LBM_HAVE_CUDA ON)
  elseif(LBM_CUDA STREQUAL "ON")
    message(FATAL_ERROR "LBM_CUDA=ON, but no nvcc was found: put it on PATH or set CMAKE_CUDA_COMPILER")
  endif()
endif()

include(LbmNeeds)
lbm_find_needs()
find_package(Threads REQUIRED)

# --- VTK: writes images and surfaces. Found here, so that every folder that links lbm_vtk knows its
# targets ---
set(LBM_HAVE_VTK OFF)
if(NOT LBM_VTK STREQUAL "OFF")
  find_package(VTK QUIET COMPONENTS CommonCore CommonDataModel CommonExecutionModel FiltersCore
    IOXML)
  if(VTK_FOUND)
    set(LBM_HAVE_VTK ON)
  elseif(LBM_VTK STREQUAL "ON")
    lbm_packages(packages VTK)
    message(FATAL_ERROR " LBM_VTK=ON, but no VTK with IOXML and FiltersCore was found: install it (${packages})")
  endif()
endif()

# --- libtiff: reads stacks of TIFF files ------------------------------------------------------
set(LBM_HAVE_TIFF OFF)
if(NOT LBM_TIFF STREQUAL "OFF")
  find_package(TIFF QUIET)
  if(TIFF_FOUND)
    set(LBM_HAVE_TIFF ON)
  elseif(LBM_TIFF STREQUAL "ON")
    lbm_packages(packages TIFF)
    message(FATAL_ERROR " LBM_TIFF=ON, but no libtiff was found: install it (${packages})")
  endif()
endif()

# --- MPI -------------------------------------------------------------------------------------
set(LBM_HAVE_MPI OFF)
if(NOT LBM_MPI STREQUAL "OFF")
  find_package(MPI COMPONENTS C QUIET)
  if(MPI_C_FOUND)
    set(LBM_HAVE_MPI ON)
  elseif(LBM_MPI STREQUAL "ON")
    lbm_packages(packages MPI)
    message(FATAL_ERROR " LBM_MPI=ON, but no MPI was found: install it (${packages})")
  endif()
endif()

include(LbmPortable)  # which knows the languages

# --- compile options ---------------------------------------------------------------------------
add_library(lbm_options INTERFACE)
target_include_directories(lbm_options INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
target_compile_features(lbm_options INTERFACE cxx_std_20)
target_link_libraries(lbm_options INTERFACE Threads::Threads)
target_compile_options(lbm_options INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow;-Wconversion;-Wno-sign-conversion>>"
  "$<BUILD_INTERFACE:$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${LBM_WERROR}>>:-Werror>>")
# g++ 12 sees overlapping copies in "literal" + std::string that are not there (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(lbm_options INTERFACE
    "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>>")
endif()
# x86-64's common instructions cannot fuse a product with a sum; elsewhere the compiler must be told not to, so that results
# are the same.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  target_compile_options(lbm_options INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>>")
endif()
lbm_install_library(lbm_options)
if(LBM_SANITIZE)
  target_compile_options(lbm_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${LBM_SANITIZE};-fno-omit-frame-pointer>")
  target_link_options(lbm_options INTERFACE "-fsanitize=${LBM_SANITIZE}")
endif()

# lbm_compile_together(TARGET): neighbours in the list of sources, of one or a few folders, are compiled as one file. Headers
# take most of the time of a source, so they share it. Names in unnamed namespaces must differ within a library. Sources with
# compile options of their own are compiled alone.
function(lbm_compile_together target)
  if(LBM_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 24)
  endif()
endfunction()

# lbm_add_library(NAME SOURCES... ): a static library with the project's options. All but that of the
# command line are installed for programs that embed the solver.
# Higher levels of optimization cost compile time and make most code no faster: -O3 in the solver, -Og where a
# case is read or text is printed, else -O2.
function(lbm_add_library name)
  set(level -O2)
  if(name MATCHES "^lbm_(case|cli)$")
    set(level -Og)
  elseif(name STREQUAL "lbm_solver")
    set(level -O3)
  endif()
  add_library(${name} STATIC ${ARGN})
  lbm_compile_together(${name})
  target_link_libraries(${name} PUBLIC lbm_options)
  target_compile_options(${name} PRIVATE "$<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:${level}>")
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set_property(GLOBAL APPEND PROPERTY LBM_LIBRARIES ${name})
  if(NOT name STREQUAL "lbm_cli" AND NOT LBM_SHARED)
    lbm_install_library(${name})
  endif()
endfunction()

set(lbm_gpus "")
if(LBM_HAVE_CUDA)
  set(lbm_gpus " (for ${CMAKE_CUDA_ARCHITECTURES}; CMAKE_CUDA_ARCHITECTURES chooses others)")
endif()
message(STATUS "lbm ${PROJECT_VERSION}: CUDA ${LBM_HAVE_CUDA}${lbm_gpus}, MPI ${LBM_HAVE_MPI}, VTK ${LBM_HAVE_VTK}, "
               "build type ${CMAKE_BUILD_TYPE}")
