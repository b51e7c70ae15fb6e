#include "src/train/shards/gradient_join.hpp"

#include "src/core/instances.hpp"

namespace bcr::train {

template <class Exec, class T>
GradientJoin<Exec, T>::GradientJoin(nn::ParameterStore<Exec, T>& parameters, comm::Communicator& ranks,
                                    const int shards, const std::size_t bucket_bytes)
    : parameters_(parameters), sums_(parameters.gradients(), shards), written_(static_cast<std::size_t>(shards)) {
  if (ranks.size() > 1) make_buckets(ranks, bucket_bytes);
}

template <class Exec, class T>
GradientJoin<Exec, T>::~GradientJoin() = default;

template <class Exec, class T>
void GradientJoin<Exec, T>::make_buckets(comm::Communicator& ranks, const std::size_t bucket_bytes) {
  std::size_t end = parameters_.values().size();
  const auto& slices = parameters_.slices();
  for (std::size_t i = slices.size(); i-- > 0;) {
    const std::size_t begin = slices[i].offset;
    const bool full = bucket_bytes > 0 && (end - begin) * sizeof(T) >= bucket_bytes;
    if (!full && i > 0) continue;
    buckets_.push_back({begin, end, TreeJoin<Exec, T>(ranks, end - begin)});
    end = begin;
  }
}

template <class Exec, class T>
Vector<T, Exec> GradientJoin<Exec, T>::gradients_of(const Bucket& bucket) const {
  return Vector<T, Exec>(sums_.result().data() + bucket.begin, bucket.end - bucket.begin);
}

template <class Exec, class T>
void GradientJoin<Exec, T>::begin_step(const Exec& exec) {
  exec_ = exec;
  for (std::size_t& position : written_) position = parameters_.values().size();
  started_ = 0;
}

template <class Exec, class T>
void GradientJoin<Exec, T>::begin_shard(const int shard) {
  shard_ = shard;
  parameters_.use_gradients(sums_.array_of(shard));
}

template <class Exec, class T>
void GradientJoin<Exec, T>::gradients_written(const std::size_t from) {
  std::size_t& written = written_[static_cast<std::size_t>(shard_)];
  sums_.add(exec_, shard_, from, written);
  written = from;
  for (std::size_t i = 0; i < started_; ++i) buckets_[i].join.progress(exec_);
  if (shard_ + 1 < sums_.shards()) return;
  for (; started_ < buckets_.size() && from <= buckets_[started_].begin; ++started_)
    buckets_[started_].join.start(exec_, gradients_of(buckets_[started_]));
}

template <class Exec, class T>
void GradientJoin<Exec, T>::finish() {
  for (Bucket& bucket : buckets_) bucket.join.finish(exec_);
  parameters_.use_gradients(sums_.result());
}

#define BCR_INSTANCE(Exec, T) template class GradientJoin<Exec, T>;
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
