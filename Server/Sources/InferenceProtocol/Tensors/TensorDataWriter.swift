import Apus
import JSONCoding

extension JSONWriter {
  /// Appends a tensor's elements as a flat list in row-major order.
  /// - Throws: ``ApusError`` where an element has no form in JSON.
  mutating func write(dataOf tensor: InferenceTensor) throws(ApusError) {
    if let size = tensor.datatype.byteCount {
      try list(0..<tensor.shape.elementCount) { (writer, index) throws(ApusError) in
        try writer.write(tensor.datatype, at: index * size, of: tensor.bytes)
      }
    } else {
      try list(tensor.elements) { (writer, element) throws(ApusError) in
        try writer.write(text: element)
      }
    }
  }

  private mutating func write(
    _ datatype: InferenceDatatype, at offset: Int, of bytes: ArraySlice<UInt8>
  ) throws(ApusError) {
    func bits<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      bytes.littleEndian(Number.self, at: offset)
    }
    switch datatype {
    case .bool: write(bits(UInt8.self) == 0 ? "false" : "true")
    case .uint8: write(bits(UInt8.self))
    case .uint16: write(bits(UInt16.self))
    case .uint32: write(bits(UInt32.self))
    case .uint64: write(bits(UInt64.self))
    case .int8: write(bits(Int8.self))
    case .int16: write(bits(Int16.self))
    case .int32: write(bits(Int32.self))
    case .int64: write(bits(Int64.self))
    case .float16: try write(Float(Float16(bitPattern: bits(UInt16.self))))
    case .bfloat16: try write(Float(BFloat16(bitPattern: bits(UInt16.self))))
    case .float32: try write(Float(bitPattern: bits(UInt32.self)))
    case .float64: try write(Double(bitPattern: bits(UInt64.self)))
    case .bytes: break
    }
  }

  /// Appends a number in the fewest digits that mean it.
  /// - Throws: ``ApusError`` for NaN and infinity, which JSON has not.
  mutating func write(_ number: Float) throws(ApusError) {
    guard number.isFinite else { throw Self.noForm("\(number) has") }
    write(orNull: number)
  }

  /// Appends a number in the fewest digits that mean it.
  /// - Throws: ``ApusError`` for NaN and infinity, which JSON has not.
  mutating func write(_ number: Double) throws(ApusError) {
    guard number.isFinite else { throw Self.noForm("\(number) has") }
    write(orNull: number)
  }

  private mutating func write(text: ArraySlice<UInt8>) throws(ApusError) {
    guard let text = String(validating: text, as: UTF8.self) else {
      throw Self.noForm("bytes that are not UTF-8 have")
    }
    write(text: text)
  }

  private static func noForm(_ what: String) -> ApusError {
    ApusError(.argument, "\(what) no form in JSON; ask for the output as binary data")
  }
}
