import Apus

/// A named tensor of a request or an answer. One that exists is sound: it has as many elements as its shape says.
public struct InferenceTensor: Sendable, Hashable {
  /// The name that the model knows it by.
  public let name: String
  /// What its elements are.
  public let datatype: InferenceDatatype
  /// How many there are along each axis.
  public let shape: InferenceShape
  /// The elements in row-major order, little-endian; of BYTES each after its length in 4 bytes.
  public let bytes: ArraySlice<UInt8>
  /// What was said of it besides.
  public let parameters: InferenceParameters

  /// - Throws: ``ApusError`` when the bytes are not those of as many elements as the shape says, or a byte
  ///   of BOOL is neither 0 nor 1.
  public init(
    _ name: String, _ datatype: InferenceDatatype, _ shape: InferenceShape, bytes: ArraySlice<UInt8>,
    parameters: InferenceParameters = [:]
  ) throws(ApusError) {
    (self.name, self.datatype, self.shape, self.bytes) = (name, datatype, shape, bytes)
    self.parameters = parameters
    if let size = datatype.byteCount {
      guard bytes.count == shape.elementCount * size else {
        throw ApusError(
          .argument,
          "tensor '\(name.clipped)' has \(bytes.count) bytes; \(shape.elementCount * size) are those of "
            + "\(datatype.rawValue) \(shape)")
      }
      guard datatype != .bool || bytes.allSatisfy({ $0 <= 1 }) else {
        throw ApusError(.argument, "tensor '\(name.clipped)' of BOOL has a byte that is neither 0 nor 1")
      }
    } else {
      do { try BytesElements.check(bytes, count: shape.elementCount) } catch {
        throw ApusError(.argument, "tensor '\(name.clipped)' of BYTES \(shape) \(error.problem)")
      }
    }
  }

  /// The elements of a tensor of BYTES; empty for one of numbers.
  public var elements: [ArraySlice<UInt8>] {
    datatype == .bytes ? BytesElements.split(bytes, count: shape.elementCount) : []
  }
}

extension InferenceTensor {
  /// A tensor of FP32.
  /// - Throws: ``ApusError`` when there are not as many numbers as the shape says.
  public init(
    _ name: String, _ numbers: [Float], _ shape: InferenceShape
  ) throws(ApusError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(numbers.count * 4)
    for number in numbers { bytes.append(littleEndian: number.bitPattern) }
    try self.init(name, .float32, shape, bytes: bytes[...])
  }

  /// A tensor of BYTES, its elements being texts in UTF-8.
  /// - Throws: ``ApusError`` when there are not as many texts as the shape says.
  public init(
    _ name: String, _ texts: [String], _ shape: InferenceShape
  ) throws(ApusError) {
    var bytes: [UInt8] = []
    for text in texts { try BytesElements.append(text.utf8, to: &bytes) }
    try self.init(name, .bytes, shape, bytes: bytes[...])
  }
}
