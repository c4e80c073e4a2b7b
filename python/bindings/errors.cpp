// SPDX-License-Identifier: Apache-2.0

// The solver's errors as Python exceptions, with the same one-line messages.
#include <string>
#include <string_view>
#include <utility>

#include "python/bindings/bindings.hpp"
#include "solver/core/error.hpp"

namespace lbm::python {
namespace nb = nanobind;
namespace {

// Created once, alive as long as the interpreter.
struct Exceptions {
  PyObject* base = nullptr;
  PyObject* usage = nullptr;
  PyObject* diverged = nullptr;
  PyObject* resource = nullptr;
};

Exceptions exceptions;

PyObject* make(nb::module_& module, const char* name, const char* doc, nb::handle bases) {
  const std::string full = std::string("lbm.") + name;
  PyObject* const type =
      PyErr_NewExceptionWithDoc(full.c_str(), doc, bases.ptr(), /*dict=*/nullptr);
  if (type == nullptr) throw nb::python_error();
  module.attr(name) = nb::handle(type);
  return type;
}

PyObject* type_of(ExitCode code) {
  switch (code) {
    case exit_usage:
      return exceptions.usage;
    case exit_diverged:
      return exceptions.diverged;
    case exit_resources:
      return exceptions.resource;
    default:
      return exceptions.base;
  }
}

// Options of the program as the arguments that they are here.
std::string in_python(std::string text) {
  for (const auto& [option, argument] :
       {std::pair{"--overwrite", "overwrite=True"}, {"--out", "out="}, {"--restart", "restart="}}) {
    const std::string_view from = option;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
      text.replace(at, from.size(), argument);
    }
  }
  return text;
}

}  // namespace

void bind_errors(nb::module_& module) {
  exceptions.base = make(module, "Error",
                         "What went wrong, in one line: the cause and the remedy. The base of all "
                         "exceptions of this package.",
                         nb::handle(PyExc_Exception));
  const nb::handle base(exceptions.base);
  exceptions.usage = make(module, "UsageError",
                          "A wrong case, a wrong argument or a wrong file; also a ValueError.",
                          nb::make_tuple(base, nb::handle(PyExc_ValueError)));
  exceptions.diverged =
      make(module, "DivergedError", "The flow left its limits or became non-finite.",
           nb::make_tuple(base, nb::handle(PyExc_ArithmeticError)));
  exceptions.resource =
      make(module, "ResourceError", "Not enough memory or disk; also a MemoryError.",
           nb::make_tuple(base, nb::handle(PyExc_MemoryError)));
  nb::register_exception_translator([](const std::exception_ptr& caught, void*) {
    try {
      std::rethrow_exception(caught);
    } catch (const Error& error) {
      PyErr_SetString(type_of(error.exit_code()), in_python(error.what()).c_str());
    } catch (const std::bad_alloc& error) {
      PyErr_SetString(exceptions.resource, as_error(error).what());
    }
  });
}

}  // namespace lbm::python
