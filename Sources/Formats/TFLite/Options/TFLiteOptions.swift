import TensorCore

/// How a builtin operator is configured: the fields of one table of the schema, or of several that are alike.
/// Fields that the file leaves out are at the defaults of the schema.
package protocol TFLiteOptions: Sendable, Equatable {}

/// Options with all that the schema says about them; reading and writing derive from it.
protocol TFLiteOptionDescription: TFLiteOptions {
  /// The tables of the schema that have these fields.
  static var tables: [TFLiteOptionTable] { get }

  init()

  /// Shows each field to `fields`, in the order in which they are checked.
  mutating func pass(through fields: inout some TFLiteOptionFields) throws(ApusError)
}

/// A table of the schema, and the operators that it configures.
struct TFLiteOptionTable: Sendable {
  let name: String
  /// The number in the union of the schema.
  let kind: UInt8
  /// Which of the schema's two unions of options it is in.
  let union: Int
  let operators: [TFLiteBuiltin]

  init(_ name: String, _ kind: UInt8, union: Int = 1, _ operators: TFLiteBuiltin...) {
    self.name = name
    self.kind = kind
    self.union = union
    self.operators = operators
  }
}

/// What goes over the fields of options, each by its slot and name in the schema: a reader sets the values, a
/// writer takes them.
protocol TFLiteOptionFields {
  mutating func integer(
    _ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32) throws(ApusError)
  /// A number from 1.
  mutating func positive(
    _ slot: Int, _ name: String, _ value: inout Int, default fallback: Int32) throws(ApusError)
  mutating func float(_ slot: Int, _ name: String, _ value: inout Float) throws(ApusError)
  mutating func flag(
    _ slot: Int, _ name: String, _ value: inout Bool, default fallback: Bool) throws(ApusError)
  /// A value of an enumeration, of which the default has number 0.
  mutating func choice<Value: RawRepresentable<Int8>>(
    _ slot: Int, _ name: String, _ value: inout Value) throws(ApusError)
  mutating func elementType(
    _ slot: Int, _ name: String, _ value: inout TFLiteTensorType, default fallback: TFLiteTensorType
  ) throws(ApusError)
  /// A vector, nil when it is left out.
  mutating func integers(_ slot: Int, _ name: String, _ values: inout [Int]?) throws(ApusError)
  /// A vector of 64-bit integers, empty when it is left out.
  mutating func longs(_ slot: Int, _ name: String, _ values: inout [Int]) throws(ApusError)
  mutating func floats(_ slot: Int, _ name: String, _ values: inout [Float]) throws(ApusError)
  mutating func text(_ slot: Int, _ name: String, _ value: inout String) throws(ApusError)
}

extension TFLiteOptionFields {
  mutating func integer(_ slot: Int, _ name: String, _ value: inout Int) throws(ApusError) {
    try integer(slot, name, &value, default: 0)
  }

  mutating func positive(_ slot: Int, _ name: String, _ value: inout Int) throws(ApusError) {
    try positive(slot, name, &value, default: 0)
  }

  mutating func flag(_ slot: Int, _ name: String, _ value: inout Bool) throws(ApusError) {
    try flag(slot, name, &value, default: false)
  }

  mutating func elementType(_ slot: Int, _ name: String, _ value: inout TFLiteTensorType) throws(ApusError) {
    try elementType(slot, name, &value, default: .float32)
  }

  mutating func activation(_ slot: Int, _ value: inout TFLiteActivation) throws(ApusError) {
    try choice(slot, "fused_activation_function", &value)
  }

  mutating func extent(
    height: (slot: Int, name: String), width: (slot: Int, name: String), _ value: inout TFLiteExtent,
    default fallback: Int32 = 0
  ) throws(ApusError) {
    try positive(height.slot, height.name, &value.height, default: fallback)
    try positive(width.slot, width.name, &value.width, default: fallback)
  }
}

/// Every description of options, by the operators that they configure.
enum TFLiteOptionTables {
  private typealias Entry = (table: TFLiteOptionTable, options: any TFLiteOptionDescription.Type)

  private static let entries: [TFLiteBuiltin: Entry] = {
    var entries: [TFLiteBuiltin: Entry] = [:]
    for options in convolution + elementwise + reduction + shaping + selection + conversion {
      for table in options.tables {
        for builtin in table.operators { entries[builtin] = (table, options) }
      }
    }
    return entries
  }()

  /// The table that configures an operator, and what describes its fields; nil where there is none, or Apus has
  /// no use for it.
  static subscript(
    builtin: TFLiteBuiltin
  ) -> (table: TFLiteOptionTable, options: any TFLiteOptionDescription.Type)? { entries[builtin] }
}

extension TFLiteBuiltin {
  /// What describes the operator's options; nil where it has none, or Apus has no use for them.
  package var options: (any TFLiteOptions.Type)? { TFLiteOptionTables[self]?.options }
}
