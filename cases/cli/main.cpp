// SPDX-License-Identifier: Apache-2.0
#include "cases/cli/program.hpp"

int main(int argc, char** argv) { return lbm_program(argc, argv); }
