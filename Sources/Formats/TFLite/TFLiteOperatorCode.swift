import TensorCore

/// A kind of operator that a model uses, with its version.
package struct TFLiteOperatorCode: Sendable, Equatable {
  /// The number in the schema.
  package let code: Int
  /// The operator of that number, or nil when the schema that Apus knows has none.
  package let builtin: TFLiteBuiltin?
  /// What a custom operator is called; nil for a builtin one.
  package let customName: String?
  package let version: Int

  /// The name for errors and tables, such as `CONV_2D`, `FlexAddV2` or `builtin operator 999`.
  package var name: String { customName ?? builtin?.name ?? "builtin operator \(code)" }

  init(_ table: FlatBufferTable, index: Int) throws(ApusError) {
    // Numbers over 127 do not fit the old 8-bit field; files have the old one, the new one, or both.
    let old = Int(try table.integer(0, "deprecated_builtin_code", default: 0 as Int8))
    let new = try table.int(3, "builtin_code")
    code = max(old, new)
    guard code >= 0 else {
      throw table.error(3, "builtin_code", "operator code \(index) is \(code)", expected: "0 or more")
    }
    builtin = TFLiteBuiltin(rawValue: Int32(code))
    version = try table.int(2, "version", default: 1)
    let custom = try table.string(1, "custom_code")
    guard builtin == .CUSTOM else {
      customName = nil
      return
    }
    guard let custom, !custom.isEmpty else {
      throw table.error(1, "custom_code", "operator code \(index) is a custom operator without a name")
    }
    customName = custom.clipped
  }
}
