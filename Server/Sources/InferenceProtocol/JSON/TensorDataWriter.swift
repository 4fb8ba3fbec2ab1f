extension JSONWriter {
  /// Appends a tensor's elements as a flat list in row-major order.
  /// - Throws: ``InferenceProtocolError`` where an element has no form in JSON.
  mutating func write(dataOf tensor: InferenceTensor) throws(InferenceProtocolError) {
    if let size = tensor.datatype.byteCount {
      try list(0..<tensor.shape.elementCount) { (writer, index) throws(InferenceProtocolError) in
        try writer.write(tensor.datatype, at: index * size, of: tensor.bytes)
      }
    } else {
      try list(tensor.elements) { (writer, element) throws(InferenceProtocolError) in
        try writer.write(text: element)
      }
    }
  }

  private mutating func write(
    _ datatype: InferenceDatatype, at offset: Int, of bytes: ArraySlice<UInt8>
  ) throws(InferenceProtocolError) {
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
    case .bfloat16: try write(BFloat16.number(bits(UInt16.self)))
    case .float32: try write(Float(bitPattern: bits(UInt32.self)))
    case .float64: try write(Double(bitPattern: bits(UInt64.self)))
    case .bytes: break
    }
  }
}
