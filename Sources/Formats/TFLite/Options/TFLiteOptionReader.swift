import TensorCore

/// Sets the fields of options to what a file's table says.
private struct TFLiteOptionReader: TFLiteOptionFields {
  let table: FlatBufferTable

  func integer(_ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32) throws(ApusError) {
    value = try table.int(slot, name, default: fallback)
  }

  func positive(_ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32) throws(ApusError) {
    let found = try table.int(slot, name, default: fallback)
    guard found >= 1 else {
      throw table.error(slot, name, "\(name) is \(found)", expected: "at least 1")
    }
    value = found
  }

  func float(_ slot: Int, _ name: String, _ value: inout Float) throws(ApusError) {
    value = try table.float(slot, name)
  }

  func flag(_ slot: Int, _ name: String, _ value: inout Bool, default fallback: Bool) throws(ApusError) {
    value = try table.bool(slot, name, default: fallback)
  }

  func choice<Value: RawRepresentable<Int8>>(
    _ slot: Int, _ name: String, _ value: inout Value
  ) throws(ApusError) {
    let raw = try table.integer(slot, name, default: 0 as Int8)
    guard let found = Value(rawValue: raw) else {
      throw table.error(slot, name, "unknown value \(raw)", expected: "a value of the schema")
    }
    value = found
  }

  func elementType(
    _ slot: Int, _ name: String, _ value: inout TFLiteTensorType, default fallback: TFLiteTensorType
  ) throws(ApusError) {
    value = try TFLiteTensorType(table, slot, name, default: fallback)
  }

  func integers(_ slot: Int, _ name: String, _ values: inout [Int]?) throws(ApusError) {
    values = try table.integers(slot, name, of: Int32.self)?.map(Int.init)
  }

  func longs(_ slot: Int, _ name: String, _ values: inout [Int]) throws(ApusError) {
    values = try table.integers(slot, name, of: Int64.self)?.map { Int($0) } ?? []
  }

  func floats(_ slot: Int, _ name: String, _ values: inout [Float]) throws(ApusError) {
    values = try table.floats(slot, name)
  }

  func text(_ slot: Int, _ name: String, _ value: inout String) throws(ApusError) {
    value = try table.string(slot, name) ?? ""
  }
}

extension TFLiteOptionDescription {
  init(_ table: FlatBufferTable) throws(ApusError) {
    self.init()
    var reader = TFLiteOptionReader(table: table)
    try pass(through: &reader)
  }
}

extension FlatBufferTable {
  /// The options of the operator that this table of a file is.
  /// - Throws: ``ApusError`` when the file has the options of another operator, or a value is unknown or
  ///   cannot be: a padding, an activation, a stride below 1.
  func options(of builtin: TFLiteBuiltin?) throws(ApusError) -> (any TFLiteOptions)? {
    guard let builtin, let (table, options) = TFLiteOptionTables[builtin] else { return nil }
    let (slot, field) = table.union == 1 ? (3, "builtin_options") : (11, "builtin_options_2")
    let found = try integer(slot, field + "_type", default: 0 as UInt8)
    guard found == table.kind || found == 0 else {
      throw error(
        slot, field + "_type", "options of kind \(found)", expected: "\(table.kind) (\(table.name))")
    }
    let content = found == 0 ? nil : try self.table(slot + 1, field, as: table.name)
    return try options.init(content ?? .empty(named: table.name))
  }
}
