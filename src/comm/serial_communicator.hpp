#ifndef BCR_SRC_COMM_SERIAL_COMMUNICATOR_HPP
#define BCR_SRC_COMM_SERIAL_COMMUNICATOR_HPP

#include "src/comm/communicator.hpp"

namespace bcr::comm {

/// One rank: nobody to talk to.
class SerialCommunicator final : public Communicator {
 public:
  int rank() const noexcept override { return 0; }
  int size() const noexcept override { return 1; }
  std::string description() const override { return "one rank"; }
  MessageMemory message_memory() const override { return MessageMemory::any; }
  std::unique_ptr<Transfer> exchange(const Pieces& send, std::byte* receive, int channel) override;
  std::unique_ptr<Transfer> share(const Pieces& pieces, int channel) override;

 private:
  void end_others(int) override {}
};

}  // namespace bcr::comm

#endif
