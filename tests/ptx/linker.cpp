#include "tests/ptx/decoding.hpp"
#include "tests/ptx/layout.hpp"

#include <cstring>

namespace bcr::test::ptx {
namespace {

constexpr std::string_view special_registers[] = {
    "%tid.x",       "%tid.y",       "%tid.z",       "%ntid.x",      "%ntid.y",     "%ntid.z", "%ctaid.x",
    "%ctaid.y",     "%ctaid.z",     "%nctaid.x",    "%nctaid.y",    "%nctaid.z",   "%laneid", "%warpid",
    "%lanemask_lt", "%lanemask_le", "%lanemask_gt", "%lanemask_ge", "%lanemask_eq"};

bool is_special(const std::string_view name) {
  for (const auto special : special_registers)
    if (special == name) return true;
  return false;
}

/// Call, ret and branches of one function after the other.
class Linker : public Names {
 public:
  Linker(const Module& module, const std::string& kernel, const GlobalAddresses& globals)
      : program_(std::make_unique<Program>()), functions_(reachable_functions(module, kernel)) {
    program_->name = kernel;
    places_ = lay_out(module, functions_, globals, *program_);
    for (std::size_t i = 0; i < functions_.size(); ++i) index_[functions_[i]->name] = i;
  }

  std::unique_ptr<Program> run() {
    entries_.resize(functions_.size());
    return_slots_.assign(functions_.size(), -1);
    for (current_ = 0; current_ < functions_.size(); ++current_) {
      if (!functions_[current_]->is_entry) return_slots_[current_] = fresh_slot();
      registers_.clear();
      for (const auto& name : functions_[current_]->registers) registers_[name] = fresh_slot();
      emit_function(*functions_[current_]);
    }
    program_->entry = entries_.back();
    return std::move(program_);
  }

  int slot(const Operand& operand) override {
    if (operand.kind == Operand::Kind::number) return constant_slot(operand.number);
    if (operand.kind != Operand::Kind::name) throw Error("PTX: an operand that is neither register nor number");
    if (operand.name == "_") return sink_ < 0 ? sink_ = fresh_slot() : sink_;
    const auto found = registers_.find(operand.name);
    if (found != registers_.end()) return found->second;
    if (operand.name == "WARP_SZ") return constant_slot(lanes);
    if (is_special(operand.name)) {
      const auto [place, is_new] = program_->specials.try_emplace(operand.name, 0);
      if (is_new) place->second = fresh_slot();
      return place->second;
    }
    return constant_slot(place(operand.name).value + operand.number);
  }

  bool is_lane_parameter(const std::string& name) const override {
    const auto found = places_[current_].find(name);
    return found != places_[current_].end() && found->second.space == Space::local;
  }

 private:
  int fresh_slot() { return program_->slots++; }

  int constant_slot(const std::uint64_t value) {
    const auto [place, is_new] = constants_.try_emplace(value, 0);
    if (is_new) {
      place->second = fresh_slot();
      program_->constants[place->second] = value;
    }
    return place->second;
  }

  const Place& place(const std::string& name) const {
    const auto found = places_[current_].find(name);
    if (found == places_[current_].end()) throw Error("PTX: unknown name " + name);
    return found->second;
  }

  void emit_function(const Function& function) {
    entries_[current_] = static_cast<int>(program_->steps.size());
    std::vector<int> begins;
    std::vector<std::pair<std::size_t, std::string>> branches;  // step, label
    for (const auto& statement : function.statements) {
      begins.push_back(static_cast<int>(program_->steps.size()));
      emit(statement, branches);
    }
    const auto place_of_label = [&](const std::string& label) {
      const auto found = function.labels.find(label);
      if (found == function.labels.end() || found->second >= static_cast<int>(begins.size()))
        throw Error("PTX: unknown label " + label);
      return begins[std::size_t(found->second)];
    };
    for (const auto& [step, label] : branches) {
      const auto list = function.branch_targets.find(label);
      if (list == function.branch_targets.end()) {
        program_->steps[step].target = place_of_label(label);
        continue;
      }
      for (const auto& target : list->second) program_->steps[step].targets.push_back(place_of_label(target));
    }
  }

  void emit(const Statement& statement, std::vector<std::pair<std::size_t, std::string>>& branches) {
    const std::string& opcode = statement.opcode;
    const std::size_t index = program_->steps.size();
    Step step;
    step.text = &statement;
    if (opcode == "bra" || opcode == "bra.uni") {
      step.flow = Flow::branch;
      branches.emplace_back(index, statement.operands.at(0).name);
    } else if (opcode == "brx.idx" || opcode == "brx.idx.uni") {
      step.flow = Flow::indexed_branch;
      step.src[0] = slot(statement.operands.at(0));
      branches.emplace_back(index, statement.operands.at(1).name);
    } else if (opcode == "ret" || opcode == "ret.uni" || opcode == "exit") {
      step.flow = Flow::end;
      step.return_slot = opcode == "exit" ? -1 : return_slots_[current_];
    } else if (opcode == "bar.sync" || opcode == "barrier.sync" || opcode == "barrier.sync.aligned") {
      if (statement.operands.size() != 1) throw Error("PTX: a barrier for a part of the block is not known");
      step.flow = Flow::barrier;
      step.count = 0;
    } else if (opcode == "bar.red.or.pred" || opcode == "bar.red.and.pred") {
      if (statement.operands.size() != 3 || statement.operands[2].negated) throw Error("PTX: unknown form of bar.red");
      step.flow = Flow::barrier;
      step.count = opcode == "bar.red.or.pred" ? 1 : 2;
      step.dst[0] = slot(statement.operands[0]);
      step.src[0] = slot(statement.operands[2]);
    } else if (opcode == "bar.warp.sync") {
      step.flow = Flow::together;
      step.src[3] = slot(statement.operands.at(0));
      step.run = [](const Step&, Warp&, Mask) {};
    } else if (opcode == "trap") {
      step.run = [](const Step&, Warp&, Mask) { throw Error("the kernel trapped"); };
    } else if (opcode == "call" || opcode == "call.uni") {
      return emit_call(statement);
    } else {
      step = decode(statement, *this);
    }
    finish(std::move(step));
  }

  void finish(Step step) {
    const Statement& statement = *step.text;
    step.work = work_of(statement.opcode);
    step.slots = slots_of(statement.opcode);
    if (!statement.guard.empty()) {
      step.guard = slot({.kind = Operand::Kind::name, .name = statement.guard});
      step.guard_negated = statement.guard_negated;
    }
    program_->steps.push_back(std::move(step));
  }

  /// A function without a body (the device's printf and assert) may be named, but not reached.
  void emit_call(const Statement& statement) {
    std::vector<const Operand*> lists;
    std::string callee;
    for (const auto& operand : statement.operands) {
      if (operand.kind == Operand::Kind::list) lists.push_back(&operand);
      if (operand.kind == Operand::Kind::name && callee.empty()) callee = operand.name;
    }
    Step call;
    call.text = &statement;
    const auto found = index_.find(callee);
    if (found == index_.end()) {
      call.run = [](const Step& step, Warp&, Mask) {
        throw Error("PTX line " + std::to_string(step.text->line) + ": called a function without a body");
      };
      return finish(std::move(call));
    }
    const Function& function = *functions_[found->second];
    if (found->second >= current_) throw Error("PTX: " + callee + " is called before it is placed");
    const bool has_results = !function.results.empty();
    Step results;
    results.text = &statement;
    results.run = [](const Step& step, Warp& warp, const Mask mask) {
      for_each_lane(mask, [&](const int lane) {
        for (const auto& copy : step.copies)
          std::memcpy(warp.local_of(lane) + copy.to, warp.local_of(lane) + copy.from, copy.size);
      });
    };
    if (has_results) results.copies = copies(function.results, *lists.at(0), found->second, false);
    Step arguments = results;
    arguments.copies.clear();
    if (!function.parameters.empty())
      arguments.copies = copies(function.parameters, *lists.back(), found->second, true);
    call.flow = Flow::call;
    call.target = entries_[found->second];
    call.return_slot = return_slots_[found->second];
    finish(std::move(arguments));
    finish(std::move(call));
    finish(std::move(results));
  }

  std::vector<ParameterCopy> copies(const std::vector<Variable>& formal, const Operand& actual,
                                    const std::size_t callee, const bool into_callee) const {
    if (formal.size() != actual.items.size()) throw Error("PTX: a call with the wrong number of parameters");
    std::vector<ParameterCopy> list;
    for (std::size_t i = 0; i < formal.size(); ++i) {
      const std::size_t inside = places_[callee].at(formal[i].name).value;
      const std::size_t outside = place(actual.items[i].name).value;
      list.push_back({into_callee ? outside : inside, into_callee ? inside : outside, formal[i].size});
    }
    return list;
  }

  std::unique_ptr<Program> program_;
  std::vector<const Function*> functions_;
  std::vector<Places> places_;
  std::map<std::string, std::size_t> index_;
  std::vector<int> entries_;
  std::vector<int> return_slots_;
  std::size_t current_ = 0;
  std::map<std::string, int, std::less<>> registers_;
  std::map<std::uint64_t, int> constants_;
  int sink_ = -1;
};

}  // namespace

std::unique_ptr<Program> link(const Module& module, const std::string& kernel, const GlobalAddresses& globals) {
  return Linker(module, kernel, globals).run();
}

}  // namespace bcr::test::ptx
