import Graph
import TensorCore

/// A value that can be computed in two ways, of which the one that reads it chooses.
final class ONNXDeferral {
  /// What a reader may make of it.
  enum Form {
    /// Sums of rows of bytes times a known matrix, as int32 or cast to float32.
    case byteProduct(ONNXByteProduct, isCast: Bool)
    /// Bytes that stand for real numbers: what QuantizeLinear gives.
    case bytes(ONNXBytes)
    /// Real numbers that bytes stand for, or that are a function of them.
    case real(ONNXByteFunction)
    /// Real numbers that known integers stand for.
    case known(ONNXKnownIntegers)
    /// Real numbers that arithmetic of integers makes in the steps that QuantizeLinear asks for.
    case pending(ONNXPending)
  }

  let form: Form
  /// Makes the value as the file spells it.
  let spelled: () throws(ApusError) -> ONNXValue

  init(_ form: Form, spelled: @escaping () throws(ApusError) -> ONNXValue) {
    (self.form, self.spelled) = (form, spelled)
  }
}

/// Rows of unsigned bytes about one zero point times a known matrix.
struct ONNXByteProduct {
  let bytes: Value
  let zero: Value
  /// int8 [K, O], about 0.
  let weights: Tensor
}

/// Bytes of one scale and zero point, held as int8: those that the file has as uint8 are 128 less.
struct ONNXBytes {
  /// Its type in the graph has the quantization.
  let value: ONNXValue
  let isUnsigned: Bool
  /// Other bytes of which these are a function, and the function by their bits.
  let root: (source: ONNXValue, table: [UInt8])?
}

/// Real numbers that are a function of bytes.
struct ONNXByteFunction {
  /// The bytes, of a type in the graph with a quantization.
  let source: ONNXValue
  /// The numbers, by the bits of a byte: 256.
  let values: [Float]
  /// The bytes that stand for these numbers themselves; nil where they are of no such.
  let plain: ONNXValue?
}

/// Integers of the file with one scale and zero point, or one for each slice of an axis.
struct ONNXKnownIntegers {
  let stored: Tensor
  let scales: [Float]
  let zeros: [Int]
  let axis: Int
}

/// Arithmetic of integers whose result has the steps that it is asked for.
struct ONNXPending {
  /// - Returns: int8 of that quantization in the graph, limited by the activation; nil where there is no such arithmetic.
  let make: (_ steps: Quantization, _ activation: FusedActivation) throws(ApusError) -> ONNXValue?
}
