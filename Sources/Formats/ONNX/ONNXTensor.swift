import TensorCore

/// A tensor of a file: an initializer, or the value of an attribute.
package struct ONNXTensor: Sendable {
  /// Where the elements are.
  package enum Content: Sendable {
    /// In the file itself, as they lie in memory.
    case stored(Range<Int>)
    /// In a field of numbers: as they lie in memory once they are read.
    case listed([UInt8])
    /// In a file beside the model.
    case external(ONNXExternalData)
  }

  package let name: String
  package let elementType: ONNXElementType
  package let shape: Shape
  package let content: Content
  /// Where it begins in the file.
  package let offset: Int

  /// What errors call it.
  package var label: String { name.isEmpty ? "tensor at byte \(offset)" : "tensor '\(name.clipped)'" }

  /// Reads a `TensorProto`.
  init(_ message: Slice<StoredBytes>, _ allowance: ONNXAllowance) throws(ApusError) {
    var fields = Fields()
    offset = message.startIndex
    var reader = ONNXMessage(message)
    while let field = try reader.next() { try fields.read(field) }
    name = fields.name
    do throws(ApusError) {
      guard let type = ONNXElementType(rawValue: fields.type) else {
        throw ApusError(.malformedModel, "element type \(fields.type)", expected: "one of ONNX's")
      }
      elementType = type
      try allowance.take(fields.dimensions.count, at: offset)
      shape = try Shape(fields.dimensions.map { Int($0) })
      content = try fields.content(type, shape)
    } catch {
      throw error.at(fields.name.isEmpty ? "tensor at byte \(offset)" : "tensor '\(fields.name.clipped)'")
    }
  }

  /// What the fields of the message say, later ones beside or in place of earlier ones.
  private struct Fields {
    var name = ""
    var type: Int32 = 0
    var dimensions: [Int64] = []
    var raw: Range<Int>?
    var integers: [Int64] = []
    var bytes: [UInt8] = []
    /// The field that numbers were in.
    var list: Int?
    var isExternal = false
    var external: [(key: String, value: String)] = []

    mutating func read(_ field: ONNXMessage.Field) throws(ApusError) {
      switch field.number {
      case 1: try field.appendInt64s(to: &dimensions)
      case 2: type = try field.int32()
      case 3:
        throw ApusError(.unsupportedModel, "a tensor in segments", expected: "all elements in one message")
      case 4, 5, 7, 10, 11:
        guard list == nil || list == field.number else {
          throw ApusError.malformedMessage(
            "elements in fields \(list ?? 0) and \(field.number)", "one", field.offset)
        }
        list = field.number
        switch field.number {
        case 4: try field.appendFixed32s(to: &bytes)
        case 10: try field.appendFixed64s(to: &bytes)
        default: try field.appendInt64s(to: &integers)
        }
      case 6: list = 6
      case 8: name = try field.text()
      case 9:
        let data = try field.bytes()
        raw = data.startIndex..<data.endIndex
      case 13: external.append(try field.textPair())
      case 14: isExternal = try field.int32() == 1
      default: break
      }
    }

    func content(_ type: ONNXElementType, _ shape: Shape) throws(ApusError) -> Content {
      if isExternal { return .external(try ONNXExternalData(external)) }
      if let raw {
        guard list == nil else {
          throw ApusError(.malformedModel, "elements twice: as bytes, and in field \(list ?? 0)")
        }
        if let bytes = type.byteCount(of: shape), bytes != raw.count { throw Self.mismatch(raw.count, bytes) }
        return .stored(raw)
      }
      if type.packedBits != nil {
        // Each number is a byte.
        let (bytes, wanted) = (integers.littleEndianBytes(1), type.byteCount(of: shape) ?? 0)
        guard bytes.count == wanted else { throw Self.mismatch(bytes.count, wanted) }
        return .listed(bytes)
      }
      guard let dataType = type.dataType else { return .listed([]) }
      let expected = dataType.listField
      guard list == nil || list == expected else {
        throw ApusError(
          .malformedModel, "elements of type \(type.name) in field \(list ?? 0)",
          expected: "in field \(expected)")
      }
      let listed = expected == 4 || expected == 10 ? bytes : integers.littleEndianBytes(dataType.byteCount)
      let wanted = shape.elementCount * dataType.byteCount
      guard listed.count == wanted else { throw Self.mismatch(listed.count, wanted) }
      return .listed(listed)
    }

    private static func mismatch(_ found: Int, _ expected: Int) -> ApusError {
      ApusError(.malformedModel, "\(found) bytes of elements", expected: "\(expected), as its shape has")
    }
  }
}

extension ONNXElementType {
  /// Bytes that the elements of a shape take; nil of strings, which have no such number.
  package func byteCount(of shape: Shape) -> Int? {
    switch self {
    case .string: nil
    case .complex64: 8 * shape.elementCount
    case .complex128: 16 * shape.elementCount
    case .uint4, .int4, .float4E2M1: (shape.elementCount + 1) / 2
    case .uint2, .int2: (shape.elementCount + 3) / 4
    default: (dataType?.byteCount ?? 1) * shape.elementCount
    }
  }
}

extension DataType {
  /// The field of a `TensorProto` in which elements are listed.
  fileprivate var listField: Int {
    switch self {
    case .float32: 4
    case .float64: 10
    case .int64: 7
    case .uint32, .uint64: 11
    default: 5
    }
  }
}

extension [Int64] {
  /// The low bytes of each number.
  fileprivate func littleEndianBytes(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * self.count)
    for number in self {
      for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> Int64(8 * byte))) }
    }
    return bytes
  }
}
