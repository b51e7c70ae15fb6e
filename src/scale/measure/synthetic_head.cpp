#include "src/scale/measure/synthetic_head.hpp"

#include "kernels/fill/fill_random.hpp"
#include "losses/registry.hpp"
#include "src/scale/measure/noise.hpp"

namespace bcr::scale {
namespace {

using Exec = TimedWork::Exec;
using Real = TimedWork::Real;

int features_of(const PointOptions& options) {
  const nn::Graph graph = models::make_backbone(backbone_of(options), input_shape(options));
  return graph.shape(graph.output("features")).channels;
}

losses::LossOptions head_loss_options(const PointOptions& options) {
  losses::LossOptions loss;
  loss.name = options.loss;
  return loss;
}

}  // namespace

SyntheticHead::SyntheticHead(const PointOptions& options)
    : options_(options),
      features_count_(features_of(options)),
      store_(nn::Gradients::kept),
      lambda_(losses::lambda_at(head_loss_options(options), 0)),
      features_("bcr::scale::features", options.batch, features_count_),
      diff_features_("bcr::scale::diff_features", options.batch, features_count_),
      labels_(noise_labels(options, options.batch / 2)),
      clock_(exec_) {
  const losses::LossOptions loss = head_loss_options(options_);
  const int columns = losses::output_columns(loss, options_.classes);
  head_ = models::make_head<Exec, Real>(head_of(options_), store_, features_count_, columns, options_.batch);
  loss_ = losses::make_loss<Exec, Real>(loss, {head_->outputs(), options_.classes, features_count_, options_.batch});
  store_.allocate(exec_, options_.seed);
  numbers_ = Vector<double, Exec>("bcr::scale::numbers", loss_->numbers().size());
  outputs_ = Matrix<Real, Exec>("bcr::scale::outputs", options_.batch, columns);
  diff_outputs_ = Matrix<Real, Exec>("bcr::scale::diff_outputs", options_.batch, columns);
  const Vector<Real, Exec> all(features_.data(), features_.size());
  kernels::fill_normal<Exec, Real>(exec_, options_.seed, Stream("scale.features"), 1, all);
  const auto name = kernels::tensor_name(head_->outputs());
  tensors_.set("features", features_);
  tensors_.set(name, outputs_);
  gradients_.set("features", diff_features_);
  gradients_.set(name, diff_outputs_);
  head_->forward(exec_, features_, outputs_);
}

bool SyntheticHead::run(const Clock::State state, const bool stop) {
  const bool whole = options_.work == PointWork::head;
  clock_.start(state);
  if (whole) head_->forward(exec_, features_, outputs_);
  loss_->evaluate(exec_, {.tensors = tensors_, .labels = labels_, .lambda = lambda_}, gradients_, numbers_);
  const auto start = loss_->reads_features() ? kernels::ChainStart::dst : kernels::ChainStart::zero;
  if (whole) head_->backward(exec_, features_, diff_outputs_, start, diff_features_);
  clock_.end(train::Region::head);
  exec_.fence("bcr::scale::SyntheticHead");
  return stop;
}

StepWork SyntheticHead::work() const {
  const StepShape shape{double(options_.batch), double(features_count_), double(outputs_.extent(1)), parameters()};
  return options_.work == PointWork::head ? head_work(shape) : loss_work(shape);
}

double SyntheticHead::loss() const {
  return losses::read_numbers<Exec>(exec_, numbers_).front();
}

double SyntheticHead::memory_bytes() const {
  return sizeof(Real) * (2.0 * double(features_.size() + outputs_.size()) + 2.0 * double(store_.values().size()));
}

}  // namespace bcr::scale
