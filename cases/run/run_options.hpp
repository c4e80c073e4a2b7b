// What `lbm run` and embedding programs say of a run besides the case.
#pragma once

#include <string>
#include <vector>

namespace lbm::cases {

struct RunOptions {
  std::string case_file;
  std::vector<std::string> overrides;  // "key.path=value", in the order given
  std::string out;                     // results go here; empty: what the case says
  std::string restart;                 // a checkpoint, or a run's directory, to go on from
  bool restart_given = false;
  std::string trace;  // a trace of the run goes to this file
  bool trace_given = false;
  bool overwrite = false;  // an existing result may be replaced
  bool json = false;       // one JSON object on stdout instead of text
  bool quiet = false;      // no progress
  bool expect = false;     // an expectation that is not met is an error
  bool predict = false;    // the report says what the model predicts
};

}  // namespace lbm::cases
