import TensorCore

/// A message of an ONNX file.
typealias ONNXMessage = ProtobufReader<Slice<StoredBytes>>

/// How many parts a file may describe, so that a small one cannot ask for much memory: messages may be of two bytes.
final class ONNXAllowance {
  /// Nodes, tensors, attributes, names and dimensions.
  private var left = 1 << 23

  /// Graphs inside attributes inside graphs.
  static let maximumDepth = 16

  func take(_ count: Int = 1, at offset: Int) throws(ApusError) {
    left -= count
    guard left >= 0 else {
      throw ApusError(
        .unsupportedModel, "a model of over \(1 << 23) nodes, tensors and names", at: "byte \(offset)")
    }
  }
}

extension ONNXMessage.Field {
  /// The payload as a string.
  func text() throws(ApusError) -> String {
    let bytes = try bytes()
    guard let text = bytes.validText else {
      throw ApusError.malformedMessage("field \(number) is not well-formed UTF-8", nil, offset)
    }
    return text
  }

  /// Appends the integers of a repeated field, which may be packed: many in one payload.
  func appendInt64s(to numbers: inout [Int64]) throws(ApusError) {
    switch payload {
    case .varint(let value): numbers.append(Int64(bitPattern: value))
    case .bytes(let packed):
      var reader = ONNXMessage(packed)
      while let value = try reader.nextVarint() { numbers.append(Int64(bitPattern: value)) }
    default: throw wrongType("integers")
    }
  }

  /// Appends the little-endian bytes of a repeated field of numbers of 32 bits, which may be packed.
  func appendFixed32s(to bytes: inout [UInt8]) throws(ApusError) {
    switch payload {
    case .fixed32(let bits): bytes.append(littleEndian: bits)
    case .bytes(let packed) where packed.count % 4 == 0: bytes.append(contentsOf: packed)
    default: throw wrongType("numbers of 32 bits")
    }
  }

  /// The same of numbers of 64 bits.
  func appendFixed64s(to bytes: inout [UInt8]) throws(ApusError) {
    switch payload {
    case .fixed64(let bits): bytes.append(littleEndian: bits)
    case .bytes(let packed) where packed.count % 8 == 0: bytes.append(contentsOf: packed)
    default: throw wrongType("numbers of 64 bits")
    }
  }

  /// A pair of texts: `StringStringEntryProto`.
  func textPair() throws(ApusError) -> (key: String, value: String) {
    var pair = (key: "", value: "")
    var reader = ONNXMessage(try bytes())
    while let field = try reader.next() {
      switch field.number {
      case 1: pair.key = try field.text()
      case 2: pair.value = try field.text()
      default: break
      }
    }
    return pair
  }
}

extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    for byte in 0..<(Number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number >> Number(truncatingIfNeeded: 8 * byte)))
    }
  }
}
