// SPDX-License-Identifier: Apache-2.0
#include "cases/run/pictures/python.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace lbm::cases {
namespace {

namespace fs = std::filesystem;

bool has_modules(const std::string& python, const std::vector<std::string>& modules) {
  std::string command = python +
                        " -c 'import importlib.util as u, sys; "
                        "sys.exit(not all(map(u.find_spec, sys.argv[1:])))'";
  for (const std::string& module : modules) command += " " + module;
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

std::string shell_word(const std::string& word) {
  std::string text = "'";
  for (const char letter : word) text += letter == '\'' ? "'\\''" : std::string(1, letter);
  return text + "'";
}

std::string find_python(const std::vector<std::string>& modules) {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::string path;
  if (fs::exists(folder / "python/lbm/__main__.py", ignored)) {
    path = "export PYTHONPATH=" + shell_word((folder / "python").string()) +
           "${PYTHONPATH:+:$PYTHONPATH}; ";
  }
  std::vector<std::string> all{(folder / "venv/bin/python").string(), (folder / "python3").string(),
                               "python3"};
  const char* stated = std::getenv("LBM_PYTHON");
  if (stated != nullptr && *stated != '\0') all = {stated};
  for (const std::string& python : all) {
    if (python.front() == '/' && !fs::exists(python, ignored)) continue;
    std::string command = path + "exec " + shell_word(python);
    if (has_modules(command, modules)) return command;
  }
  return "";
}

std::string python_for_pictures(const Case& lbm_case) {
  if (lbm_case.pictures.empty()) return "";
  std::vector<std::string> modules{"lbm.pictures", "matplotlib"};
  if (std::any_of(lbm_case.pictures.begin(), lbm_case.pictures.end(),
                  [](const Picture& picture) { return picture.surface.has_value(); })) {
    modules.emplace_back("vtkmodules");
  }
  return find_python(modules);
}

std::string no_python_for_pictures() {
  return "the Python package lbm with matplotlib and vtk, which draws pictures, was not found: pip "
         "install './python[pictures]' in the source tree, or set LBM_PYTHON to a Python that has "
         "them";
}

Drawing::Drawing(const std::string& python, const std::vector<std::string>& arguments) {
  std::string command = python + " -m lbm pictures";
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  pipe_ = ::popen(command.c_str(), "we");
}

void Drawing::write(std::string_view bytes) {
  if (pipe_ != nullptr) (void)std::fwrite(bytes.data(), 1, bytes.size(), pipe_);
}

bool Drawing::close() {
  std::FILE* const pipe = std::exchange(pipe_, nullptr);
  return pipe != nullptr && ::pclose(pipe) == 0;
}

}  // namespace lbm::cases
