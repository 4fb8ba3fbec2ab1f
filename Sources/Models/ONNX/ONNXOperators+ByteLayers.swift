import Formats
import Graph
import TensorCore

/// Linear layers whose rows are brought to bytes as they come, as ONNX Runtime's dynamic quantization spells them:
/// DynamicQuantizeLinear, MatMulInteger, Cast, Mul by the product of both scales, and Add of a bias.
extension ONNXStep {
  /// The sums of a `MatMulInteger`, which may become a layer; nil where one of its factors is of another kind.
  func byteProduct() throws(ApusError) -> ONNXDeferral.Form? {
    guard has(2), let weights = try byteWeights(1, zero: 3), try dataType(0) == .uint8,
      try shape(2).elementCount == 1, try dataType(2) == .uint8, try shape(0).rank > 0,
      let depth = try shape(0).dimensions.last, depth > 0, depth <= ByteLinear.maximumDepth,
      depth == weights.shape[0]
    else { return nil }
    return .byteProduct(
      ONNXByteProduct(bytes: try plain(0), zero: try plain(2), weights: weights), isCast: false)
  }

  /// A known matrix of bytes less its zero point as int8, where it fits.
  func byteWeights(_ index: Int, zero: Int) throws(ApusError) -> Tensor? {
    guard let stored = try known(index), stored.shape.rank == 2, stored.shape.elementCount > 0,
      stored.dataType == .int8 || stored.dataType == .uint8
    else { return nil }
    var zeros = [0]
    if has(zero) {
      guard let known = try known(zero) else { return nil }
      zeros = try known.integers()
    }
    guard let point = zeros.first, zeros.allSatisfy({ $0 == point }) else { return nil }
    if stored.dataType == .int8, point == 0 { return stored }
    return try stored.int8(less: point)
  }

  /// Sums that become real: the product of a cast `MatMulInteger` and of the scales of its factors.
  func scaledByteProduct() throws(ApusError) -> ONNXValue? {
    for (index, other) in [(0, 1), (1, 0)] {
      guard case .byteProduct(let product, isCast: true)? = deferral(index)?.form, deferral(other) == nil,
        let plain = try input(other).plain, let scale = translation.scale(plain),
        let columns = product.weights.shape.dimensions.last,
        [1, columns].contains(scale.known.shape.elementCount), scale.known.dataType == .float32,
        type(of: scale.found).shape.elementCount == 1, type(of: plain).shape.rank <= 1,
        let quantization = try? Quantization(
          scales: scale.known.elements(of: Float.self),
          zeroPoints: [Int32](repeating: 0, count: scale.known.shape.elementCount), axis: 1)
      else { continue }
      let weights = try product.weights.reinterpreted(
        as: TensorType(.int8, product.weights.shape, quantization: quantization))
      let operands = [product.bytes, scale.found, product.zero, constant(weights)]
      let result = try add(ByteLinear(), operands)
      translation.remember(byteLayer: result, of: operands)
      return ONNXValue(plain: result)
    }
    return nil
  }

  /// Keeps a product of two scales, one of which a run finds, for the layer that it is of.
  func rememberScale(_ result: ONNXValue) throws(ApusError) {
    guard let product = result.plain, type(of: product).shape.rank <= 1,
      translation.constant(of: product) == nil
    else { return }
    for (index, other) in [(0, 1), (1, 0)] {
      guard let known = try known(index), known.dataType == .float32, let found = try input(other).plain,
        type(of: found).shape.elementCount == 1, type(of: found).dataType == .float32
      else { continue }
      translation.remember(scale: product, found, times: known)
    }
  }
}

extension Tensor {
  /// Bytes less a number, made when they are first read; nil where int8 does not hold one of them.
  func int8(less zero: Int) throws(ApusError) -> Tensor? {
    let isSigned = dataType == .int8
    let fits = withBytes { bytes in
      bytes.allSatisfy { byte in
        let number = (isSigned ? Int(Int8(bitPattern: byte)) : Int(byte)) - zero
        return (-128...127).contains(number)
      }
    }
    guard fits else { return nil }
    let source = self
    let derivation = Derivation(from: [self], rule: [1, zero]) { target in
      source.withBytes { bytes in
        let shift = UInt8(truncatingIfNeeded: zero)
        for index in target.indices { target[index] = bytes[index] &- shift }
      }
    }
    return try Tensor(
      TensorType(.int8, shape), storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }
}
