# SPDX-License-Identifier: Apache-2.0
#
# `cmake --install` installs, beside the Python package: the program, the library of cases, and
# libraries, headers and lbmConfig.cmake for programs that embed the solver (docs/embedding.md). The
# component is `development`; `pip install` installs the component `python`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(LBM_INSTALL_CMAKE "${CMAKE_INSTALL_LIBDIR}/cmake/lbm")

# The static libraries, or with LBM_SHARED liblbm.so alone. Headers include each other from the root of the sources, which is include/lbm here.
function(lbm_install_library name)
  install(TARGETS ${name} EXPORT lbm ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    COMPONENT development LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development INCLUDES DESTINATION
    "${CMAKE_INSTALL_INCLUDEDIR}" "${CMAKE_INSTALL_INCLUDEDIR}/lbm")
endfunction()

# Call when all targets are known.
function(lbm_install_package)
  install(EXPORT lbm FILE lbmTargets.cmake NAMESPACE lbm:: DESTINATION "${LBM_INSTALL_CMAKE}"
    COMPONENT development)
  configure_package_config_file("${PROJECT_SOURCE_DIR}/solver/cmake/lbmConfig.cmake.in"
    "${PROJECT_BINARY_DIR}/lbmConfig.cmake" INSTALL_DESTINATION "${LBM_INSTALL_CMAKE}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/lbmConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/lbmConfig.cmake" "${PROJECT_BINARY_DIR}/lbmConfigVersion.cmake"
    DESTINATION "${LBM_INSTALL_CMAKE}" COMPONENT development)
endfunction()
