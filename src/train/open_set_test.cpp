#include "src/train/open_set_test.hpp"

#include "io/splits/set_names.hpp"
#include "src/core/instances.hpp"
#include "src/run/set_metrics.hpp"

#include <algorithm>

namespace bcr::train {

std::vector<io::SetScores*> TestScores::sets() {
  std::vector<io::SetScores*> list{&known};
  for (auto& [name, set] : unknown) list.push_back(&set);
  return list;
}

std::string TestScores::outputs_sha256(const std::size_t columns) const {
  std::vector<const io::SetScores*> all{&known};
  for (const auto& [name, set] : unknown) all.push_back(&set);
  return run::outputs_sha256(all, columns);
}

template <class Exec, class T>
SharedSet<Exec, T>::SharedSet(const Context<Exec>& context, const Dataset& dataset, const OpenData& data,
                              const DataOptions& options, const std::size_t batch, comm::Communicator& ranks)
    : ranks_(&ranks), labels_(dataset.labels()) {
  // Whole batches, the same as on one rank: a library's result may depend on the size of a batch.
  const std::size_t batches = (dataset.count() + batch - 1) / batch;
  const Shard shard{ranks.rank(), ranks.size()};
  const PositionRange own = shard.of({0, batches});
  const std::size_t first = std::min(own.first * batch, dataset.count());
  const std::size_t last = std::min((own.first + own.count) * batch, dataset.count());
  if (ranks.size() == 1) {
    loader_.emplace(make_test_loader<Exec, T>(context, dataset, data, options, batch));
  } else if (first < last) {
    loader_.emplace(make_test_loader<Exec, T>(context, dataset.part(first, last - first), data, options, batch));
  }
}

template <class Exec, class T>
io::SetScores SharedSet<Exec, T>::run(const Exec& exec, Inference<Exec, T>& inference, const Keep keep) {
  io::SetScores scores = loader_ ? inference.run(exec, *loader_, {}, keep) : inference.nothing();
  if (ranks_->size() > 1) {
    for (auto& [name, values] : scores.scores) values = ranks_->gather_lists(values);
    scores.predictions = ranks_->gather_lists(scores.predictions);
    scores.outputs = ranks_->gather_lists(scores.outputs);
    scores.features = ranks_->gather_lists(scores.features);
    scores.latents = ranks_->gather_lists(scores.latents);
    scores.moved_outputs = ranks_->gather_lists(scores.moved_outputs);
    scores.errors = ranks_->gather_lists(scores.errors);
    scores.class_errors = ranks_->gather_lists(scores.class_errors);
  }
  scores.labels = labels_;
  return scores;
}

template <class Exec, class T>
OpenSetTest<Exec, T>::OpenSetTest(const Context<Exec>& context, const OpenData& data, const DataOptions& options,
                                  const std::size_t batch, comm::Communicator& ranks) {
  const auto add = [&](const std::string& name, const Dataset& dataset) {
    sets_.emplace_back(name, SharedSet<Exec, T>(context, dataset, data, options, batch, ranks));
  };
  add("known", data.known_test);
  const std::vector<std::string> names = io::unknown_set_names(data.split);
  for (std::size_t i = 0; i < data.unknown_test.size(); ++i) add(names[i], data.unknown_test[i]);
}

template <class Exec, class T>
TestScores OpenSetTest<Exec, T>::run(const Exec& exec, Inference<Exec, T>& inference, const Keep keep) {
  TestScores scores;
  scores.known = sets_.front().second.run(exec, inference, keep);
  for (std::size_t i = 1; i < sets_.size(); ++i)
    scores.unknown.emplace_back(sets_[i].first, sets_[i].second.run(exec, inference, keep));
  return scores;
}

#define BCR_INSTANCE(Exec, T)        \
  template class SharedSet<Exec, T>; \
  template class OpenSetTest<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
