import Formats
import TensorCore

/// Integers of fewer bits than a byte, the first in the lowest bits: a byte for each in the graph.
struct ONNXPacking {
  let bits: Int
  let isSigned: Bool

  /// - Returns: nil for elements that take whole bytes.
  init?(_ type: ONNXElementType) {
    guard let bits = type.packedBits else { return nil }
    (self.bits, isSigned) = (bits, type == .int4 || type == .int2)
  }

  /// The type in the file.
  var name: String { "\(isSigned ? "int" : "uint")\(bits)" }

  /// The type in the graph.
  var dataType: DataType { isSigned ? .int8 : .uint8 }

  /// What elements may be.
  var range: ClosedRange<Int> {
    isSigned ? -(1 << (bits - 1))...((1 << (bits - 1)) - 1) : 0...((1 << bits) - 1)
  }

  /// A byte for each of `count` elements.
  func unpack(_ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer) {
    let (mask, sign) = (UInt8(truncatingIfNeeded: (1 << bits) - 1), UInt8(1) << UInt8(bits - 1))
    for index in target.indices {
      let bit = index * bits
      let number = source[bit / 8] >> UInt8(bit % 8) & mask
      // Subtracting twice the sign's value extends it.
      target[index] = isSigned && number & sign != 0 ? number | ~mask : number
    }
  }

  /// The operators that read such elements.
  static func isRead(by node: ONNXNode) -> Bool {
    let readers: [ExactText] = ["Cast", "DequantizeLinear", "Identity", "QuantizeLinear"]
    return node.domain.isEmpty && readers.contains(ExactText(node.type))
  }
}

extension ONNXConstants {
  /// The value of a tensor: one of packed integers has a byte for each element, made when they are first read, one of texts
  /// their positions.
  func value(_ tensor: ONNXTensor) throws(ApusError) -> ONNXValue {
    if tensor.elementType == .string { return try positions(tensor) }
    guard let packing = ONNXPacking(tensor.elementType) else { return ONNXValue(try self.tensor(tensor)) }
    do throws(ApusError) {
      let value = ONNXValue(try unpacked(tensor, packing))
      value.packing = packing
      return value
    } catch {
      throw error.at(tensor.label)
    }
  }

  private func positions(_ tensor: ONNXTensor) throws(ApusError) -> ONNXValue {
    do throws(ApusError) {
      try ONNXStep.requireFew(tensor.shape.elementCount, "texts")
      let numbers = (0..<tensor.shape.elementCount).map { Int64($0) }
      let value = ONNXValue(try Tensor(numbers, shape: tensor.shape.dimensions))
      value.isText = true
      return value
    } catch {
      throw error.at(tensor.label)
    }
  }

  private func unpacked(_ tensor: ONNXTensor, _ packing: ONNXPacking) throws(ApusError) -> Tensor {
    let count = tensor.elementType.byteCount(of: tensor.shape) ?? 0
    let packed = try stored(tensor, TensorType(.uint8, .vector(count)))
    let type = TensorType(packing.dataType, tensor.shape)
    let derivation = Derivation(from: [packed], rule: [packing.bits, packing.isSigned ? 1 : 0]) { target in
      packed.withBytes { packing.unpack($0, target) }
    }
    return try Tensor(type, storage: TensorStorage(byteCount: type.byteCount, derivedBy: derivation))
  }
}
