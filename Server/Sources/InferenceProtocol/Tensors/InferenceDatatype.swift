import Apus

/// The types of a tensor's elements, as the protocol writes them.
public enum InferenceDatatype: String, Sendable, CaseIterable, Codable {
  /// A byte, 0 for false and 1 for true.
  case bool = "BOOL"
  /// A whole number from 0, in 8 bits.
  case uint8 = "UINT8"
  /// A whole number from 0, in 16 bits.
  case uint16 = "UINT16"
  /// A whole number from 0, in 32 bits.
  case uint32 = "UINT32"
  /// A whole number from 0, in 64 bits.
  case uint64 = "UINT64"
  /// A whole number in 8 bits.
  case int8 = "INT8"
  /// A whole number in 16 bits.
  case int16 = "INT16"
  /// A whole number in 32 bits.
  case int32 = "INT32"
  /// A whole number in 64 bits.
  case int64 = "INT64"
  /// IEEE 754's number in 16 bits.
  case float16 = "FP16"
  /// The upper half of a ``float32``.
  case bfloat16 = "BF16"
  /// IEEE 754's number in 32 bits.
  case float32 = "FP32"
  /// IEEE 754's number in 64 bits.
  case float64 = "FP64"
  /// Bytes of any number: texts and files.
  case bytes = "BYTES"

  /// Bytes of one element; nil for BYTES, whose elements have each a length of its own.
  public var byteCount: Int? {
    switch self {
    case .bool, .uint8, .int8: 1
    case .uint16, .int16, .float16, .bfloat16: 2
    case .uint32, .int32, .float32: 4
    case .uint64, .int64, .float64: 8
    case .bytes: nil
    }
  }

  /// The type of that name.
  /// - Throws: ``ApusError`` that lists the names when there is none.
  public init(named name: String) throws(ApusError) {
    guard let datatype = Self(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw ApusError(.argument, "there is no datatype '\(name.clipped)', only \(names)")
    }
    self = datatype
  }
}
