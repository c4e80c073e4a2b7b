// SPDX-License-Identifier: Apache-2.0

// The program `lbm`.
#pragma once

// Reads the command line, calls one command, turns errors into exit codes. Returns the exit code.
// argv as main() has it: the program may start itself again with it. A C function, so that a
// program without a C++ library of its own can call it in liblbm.so.
extern "C" int lbm_program(int argc, char** argv);
