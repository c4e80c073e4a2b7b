// SPDX-License-Identifier: Apache-2.0

// A cases::Simulation that Python drives. The GIL is released while anything is computed.
#include <fmt/format.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cases/fields/quantities.hpp"
#include "cases/run/prepared_run.hpp"
#include "cases/run/simulation.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/case_data.hpp"
#include "solver/core/error.hpp"

namespace lbm::python {
namespace nb = nanobind;
namespace {

using Clock = std::chrono::steady_clock;
using Floats = nb::ndarray<nb::numpy, float, nb::c_contig>;
using Doubles = nb::ndarray<nb::numpy, double, nb::c_contig>;
using Places = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Taking the GIL may cost 5 ms where other threads are busy.
constexpr std::chrono::milliseconds look_at_signals_every{50};

template <class Value>
nb::ndarray<nb::numpy, Value, nb::c_contig> array_of(std::unique_ptr<Value[]> values,
                                                     const std::vector<std::size_t>& shape) {
  Value* const data = values.get();
  nb::capsule owner(values.release(), [](void* p) noexcept { delete[] static_cast<Value*>(p); });
  return nb::ndarray<nb::numpy, Value, nb::c_contig>(data, shape.size(), shape.data(), owner);
}

template <class Values>
Doubles copy_of(const Values& values, const std::vector<std::size_t>& shape) {
  auto copy = std::make_unique<double[]>(values.size());
  std::copy(values.begin(), values.end(), copy.get());
  return array_of(std::move(copy), shape);
}

fields::Kind kind_of(const std::string& name, const cases::Case& lbm_case) {
  const auto of_flow = enum_names(fields::Kind{});
  std::vector<std::string> names(of_flow.begin(), of_flow.end());
  // In the order of fields::scalar_kind().
  for (const cases::ScalarKeys& scalar : lbm_case.scalars) names.push_back(scalar.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<fields::Kind>(found - names.begin());
  throw UsageError(
      fmt::format("field: found \"{}\", must be one of {}", name, fmt::join(names, ", ")));
}

// Empty: those of the case.
std::optional<cases::FieldUnits> units_of(const std::string& name, const cases::Case& lbm_case) {
  const bool si = lbm_case.units == cases::UnitSystem::si;
  if (name.empty()) return std::nullopt;
  if (name == "reference") return cases::FieldUnits::reference;
  if (name == "lattice") return cases::FieldUnits::lattice;
  if (name == "physical" && si) return cases::FieldUnits::physical;
  throw UsageError("units: found \"" + name + "\", must be reference, lattice" +
                   (si ? " or physical" : ", or physical in a case with units: si"));
}

// Ctrl-C: the first one ends the sweeps in good order, one more gives the state up.
class Interruption {
 public:
  explicit Interruption(nb::object progress) : progress_(std::move(progress)) {}

  bool look() {
    const auto now = Clock::now();
    if (!error_ && now >= next_) {
      next_ = now + look_at_signals_every;
      const nb::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) error_.emplace();
    }
    return error_.has_value();
  }
  void on_progress(double steps) {
    const auto now = Clock::now();
    if (now < next_progress_) return;
    next_progress_ = now + look_at_signals_every;
    const nb::gil_scoped_acquire gil;
    const bool before = error_.has_value();
    if (PyErr_CheckSignals() != 0) {
      if (before) throw nb::python_error();
      error_.emplace();
    }
    if (!progress_.is_none()) tell(steps);
  }
  // With the GIL.
  void rethrow() {
    if (error_) throw std::exchange(error_, std::nullopt).value();
  }

 private:
  // A Ctrl-C that comes while the function runs is no error of the function.
  void tell(double steps) {
    try {
      progress_(steps);
    } catch (nb::python_error& error) {
      if (error_ || !error.matches(PyExc_KeyboardInterrupt)) throw;
      error_.emplace(std::move(error));
    }
  }

  nb::object progress_;
  std::optional<nb::python_error> error_;
  Clock::time_point next_ = Clock::now(), next_progress_ = next_;
};

// Arrays of the caller, float32 or float64, by name: velocity, pressure, density.
using InitialArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;
using InitialArrays = std::map<std::string, InitialArray>;

cases::FlowArrays::Values values_of(const InitialArray& array) {
  if (array.dtype() == nb::dtype<float>()) {
    return std::span(static_cast<const float*>(array.data()), array.size());
  }
  return std::span(static_cast<const double*>(array.data()), array.size());
}

// Keeps the arrays alive; the last owner may be a thread without the GIL.
cases::FlowArrays flow_of(InitialArrays arrays) {
  const auto drop = [](const InitialArrays* all) {
    const nb::gil_scoped_acquire gil;
    delete all;
  };
  const std::shared_ptr<const InitialArrays> owner(new InitialArrays(std::move(arrays)), drop);
  const auto find = [&](const char* name) -> std::optional<cases::FlowArrays::Values> {
    const auto found = owner->find(name);
    return found == owner->end() ? std::nullopt : std::optional(values_of(found->second));
  };
  return {find("velocity").value(), find("pressure"), find("density"), owner};
}

class DrivenSimulation {
 public:
  DrivenSimulation(const CaseData& data, const std::string& out, bool overwrite,
                   const std::string& restart, bool change, InitialArrays initial) {
    cases::Case lbm_case = data.lbm_case;
    cases::RunOptions options{
        .out = out, .writes_files = !out.empty(), .overwrite = overwrite, .change = change};
    if (!restart.empty()) options.restart = restart;
    if (!initial.empty()) {
      lbm_case.initial = {};
      lbm_case.initial.flow = cases::InitialFlow::arrays;
      options.initial = flow_of(std::move(initial));
    }
    Interruption interruption{nb::none()};  // of the coarser grids
    interruption_ = &interruption;
    try {
      const nb::gil_scoped_release release;
      cases::RunCallbacks callbacks;
      callbacks.is_interrupted = [this] { return interruption_->look(); };
      callbacks.progress = [this](double steps) { interruption_->on_progress(steps); };
      run_ = std::make_unique<cases::Simulation>(std::move(lbm_case), options, callbacks);
      run_->begin();
    } catch (const cases::RunEnded&) {
      interruption.rethrow();
      throw;
    }
    interruption.rethrow();
  }
  ~DrivenSimulation() {
    const nb::gil_scoped_release release;
    run_.reset();
  }
  DrivenSimulation(const DrivenSimulation&) = delete;
  DrivenSimulation& operator=(const DrivenSimulation&) = delete;

  void close() {
    const auto lock = this->lock();
    const nb::gil_scoped_release release;
    run_.reset();
  }
  bool is_closed() const { return !run_; }

  void advance(std::int64_t steps, nb::object progress) {
    const auto lock = this->lock();
    cases::Simulation& run = open();
    Interruption interruption(std::move(progress));
    interruption_ = &interruption;
    try {
      const nb::gil_scoped_release release;
      run.advance(steps);
    } catch (const cases::RunEnded& error) {
      throw UsageError(std::string(error.what()) + "; make a new Simulation of a longer case");
    }
    interruption.rethrow();
  }

  Floats read(const std::string& field, const std::array<int, 3>& begin,
              const std::array<int, 3>& end, int stride, const std::string& units) {
    const auto lock = this->lock();
    cases::Simulation& run = with_state();
    const fields::Kind kind = kind_of(field, run.lbm_case());
    const auto in_units = units_of(units, run.lbm_case());
    const cases::CellBox box{begin, end, stride};
    run.check(box);
    std::vector<std::size_t> shape;
    for (const std::size_t a : {2U, 1U, 0U})
      shape.push_back(static_cast<std::size_t>(box.count()[a]));
    const int components = fields::components_of(kind);
    if (components > 1) shape.push_back(static_cast<std::size_t>(components));
    std::size_t size = 1;
    for (const std::size_t n : shape) size *= n;
    std::unique_ptr<float[]> values(new float[size]);
    {
      const nb::gil_scoped_release release;
      run.read(kind, box, in_units, {values.get(), size});
    }
    return array_of(std::move(values), shape);
  }

  std::pair<Doubles, Doubles> probe(const Places& places) {
    const auto lock = this->lock();
    cases::Simulation& run = with_state();
    if (places.shape(1) != 3) {
      throw UsageError("probe: found places of " + std::to_string(places.shape(1)) +
                       " coordinates, must be of 3: [[x, y, z], ...]");
    }
    std::vector<cases::Vec3> list(places.shape(0));
    for (std::size_t i = 0; i < list.size(); ++i) {
      for (std::size_t a = 0; a < 3; ++a) list[i][a] = places(i, a);
    }
    cases::PointValues values;
    {
      const nb::gil_scoped_release release;
      values = run.probe(list);
    }
    return {copy_of(values.pressure, {list.size()}), copy_of(values.velocity, {list.size(), 3})};
  }

  // By body: force, torque, coefficient, torque_coefficient.
  nb::dict forces() {
    const auto lock = this->lock();
    const cases::Simulation& run = open();
    nb::dict result;
    for (std::size_t i = 0; i < run.bodies().size(); ++i) {
      const cases::BodyForces& f = run.forces()[i];
      result[run.bodies()[i].c_str()] =
          nb::make_tuple(copy_of(f.force, {3}), copy_of(f.torque, {3}), copy_of(f.coefficient, {3}),
                         copy_of(f.torque_coefficient, {3}));
    }
    return result;
  }

  std::string save(const std::string& file) {
    const auto lock = this->lock();
    cases::Simulation& run = with_state();
    if (file.empty() && run.directory().empty()) {
      throw UsageError("checkpoint: missing: a path, since the simulation has no directory (out=)");
    }
    const nb::gil_scoped_release release;
    return run.save(file);
  }

  // Calls ask(simulation) while no other thread advances the simulation.
  template <class Ask>
  auto ask(const Ask& ask) {
    const auto lock = this->lock();
    return ask(open());
  }

  std::vector<std::string> warnings() {
    return ask([](cases::Simulation& run) {
      auto texts = run.warnings();
      for (std::string& text : texts) {
        if (text == cases::no_directory_warning) text += "; give out=";
      }
      return texts;
    });
  }

 private:
  std::unique_lock<std::mutex> lock() {
    std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock) {
      throw UsageError("this simulation is at work in another thread; wait until that is done");
    }
    return lock;
  }
  cases::Simulation& open() const {
    if (!run_) {
      throw UsageError("this simulation is closed; make a new one: lbm.Simulation(case)");
    }
    return *run_;
  }
  cases::Simulation& with_state() const {
    cases::Simulation& run = open();
    if (run.is_lost()) {
      throw UsageError(
          "this simulation has no flow any more, its run ended with an error; make a new one: "
          "lbm.Simulation(case)");
    }
    return run;
  }

  std::mutex mutex_;
  Interruption* interruption_ = nullptr;  // of the constructor or advance() under way
  std::unique_ptr<cases::Simulation> run_;
};

}  // namespace

void bind_simulation(nb::module_& module) {
  using Run = cases::Simulation;
  using Driven = DrivenSimulation;
  nb::class_<Driven>(module, "Simulation")
      .def(nb::init<const CaseData&, const std::string&, bool, const std::string&, bool,
                    InitialArrays>(),
           nb::arg("case"), nb::arg("out"), nb::arg("overwrite"), nb::arg("restart"),
           nb::arg("change"), nb::arg("initial"),
           nb::sig("def __init__(self, case: CaseData, out: str, overwrite: bool, restart: str, "
                   "change: bool, initial: dict[str, typing.Any]) -> None"))
      .def("close", &Driven::close)
      .def("is_closed", &Driven::is_closed)
      .def("advance", &Driven::advance, nb::arg("steps"), nb::arg("progress").none())
      .def("read", &Driven::read, nb::arg("field"), nb::arg("begin"), nb::arg("end"),
           nb::arg("stride"), nb::arg("units"))
      .def("probe", &Driven::probe, nb::arg("places"))
      .def("forces", &Driven::forces,
           nb::sig("def forces(self) -> dict[str, tuple[NDArray[numpy.float64], ...]]"))
      .def("save", &Driven::save, nb::arg("file"))
      .def("step", [](Driven& s) { return s.ask([](Run& run) { return run.step(); }); })
      .def("time", [](Driven& s) { return s.ask([](Run& run) { return run.time(); }); })
      .def("end", [](Driven& s) { return s.ask([](Run& run) { return run.end(); }); })
      .def("is_over", [](Driven& s) { return s.ask([](Run& run) { return run.is_over(); }); })
      .def("is_lost", [](Driven& s) { return s.ask([](Run& run) { return run.is_lost(); }); })
      .def("cells",
           [](Driven& s) { return s.ask([](Run& run) { return run.lbm_case().grid.cells; }); })
      .def("scalars",
           [](Driven& s) {
             return s.ask([](Run& run) {
               std::vector<std::string> names;
               for (const auto& scalar : run.lbm_case().scalars) names.push_back(scalar.name);
               return names;
             });
           })
      .def("directory", [](Driven& s) { return s.ask([](Run& run) { return run.directory(); }); })
      .def("warnings", &Driven::warnings)
      .def("report",
           [](Driven& s) { return s.ask([](Run& run) { return io::json_text(run.report()); }); });
}

}  // namespace lbm::python
