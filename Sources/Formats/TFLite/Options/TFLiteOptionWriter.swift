import TensorCore

/// Puts the fields of options into a table that is to be written.
private struct TFLiteOptionWriter: TFLiteOptionFields {
  var record = FlatBufferRecord()

  mutating func integer(_ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32) {
    record.set(slot, Int32(clamping: value), default: fallback)
  }

  mutating func positive(_ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32) {
    record.set(slot, Int32(clamping: value), default: fallback)
  }

  mutating func float(_ slot: Int, _ name: String, _ value: inout Float) { record.set(slot, value) }

  mutating func flag(_ slot: Int, _ name: String, _ value: inout Bool, default fallback: Bool) {
    record.set(slot, value, default: fallback)
  }

  mutating func choice<Value: RawRepresentable<Int8>>(_ slot: Int, _ name: String, _ value: inout Value) {
    record.set(slot, value.rawValue)
  }

  mutating func elementType(
    _ slot: Int, _ name: String, _ value: inout TFLiteTensorType, default fallback: TFLiteTensorType
  ) {
    record.set(slot, value.rawValue, default: fallback.rawValue)
  }

  mutating func integers(_ slot: Int, _ name: String, _ values: inout [Int]?) throws(ApusError) {
    guard let values else { return }
    record.set(slot, try TFLiteWriter.integers(values, "an option"))
  }

  mutating func longs(_ slot: Int, _ name: String, _ values: inout [Int]) throws(ApusError) {
    throw ApusError(.unsupportedModel, "'\(name)', which is not written")
  }

  mutating func floats(_ slot: Int, _ name: String, _ values: inout [Float]) {
    record.set(slot, .floats(values))
  }

  mutating func text(_ slot: Int, _ name: String, _ value: inout String) { record.set(slot, .string(value)) }
}

extension TFLiteBuiltin {
  /// The number of the operator's options in their union, and the table that says `options`.
  /// - Throws: ``ApusError`` of kind `unsupportedModel` for options that refer to other parts of a model, or
  ///   are those of another operator.
  func record(of options: any TFLiteOptions) throws(ApusError) -> (kind: UInt8, record: FlatBufferRecord) {
    guard let (table, own) = TFLiteOptionTables[self], table.union == 1,
      var description = options as? any TFLiteOptionDescription, type(of: description) == own
    else { throw ApusError(.unsupportedModel, "the options of \(name) are not written") }
    var writer = TFLiteOptionWriter()
    try description.pass(through: &writer)
    return (table.kind, writer.record)
  }
}
