#ifndef BCR_SRC_NN_BACKENDS_DEVICE_PRODUCT_HPP
#define BCR_SRC_NN_BACKENDS_DEVICE_PRODUCT_HPP

namespace bcr::nn {

/// How a product reads a matrix that is stored by columns.
enum class Turned { no, yes };

/// c [rows, columns] = a [rows, terms] b [terms, columns] + beta c, as a vendor's BLAS counts: by columns.
template <class T>
struct DeviceProduct {
  template <class Element>
  struct Operand {
    Element* data;
    int stride;
  };

  Turned turned_a, turned_b;
  int rows, columns, terms;
  Operand<const T> a, b;
  T beta;
  Operand<T> c;
};

}  // namespace bcr::nn

#endif
