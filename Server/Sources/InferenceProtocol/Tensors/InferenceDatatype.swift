/// The types of a tensor's elements, as the protocol writes them.
public enum InferenceDatatype: String, Sendable, CaseIterable, Codable {
  case bool = "BOOL"
  case uint8 = "UINT8"
  case uint16 = "UINT16"
  case uint32 = "UINT32"
  case uint64 = "UINT64"
  case int8 = "INT8"
  case int16 = "INT16"
  case int32 = "INT32"
  case int64 = "INT64"
  case float16 = "FP16"
  case bfloat16 = "BF16"
  case float32 = "FP32"
  case float64 = "FP64"
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
  /// - Throws: ``InferenceProtocolError`` that lists the names when there is none.
  public init(named name: String) throws(InferenceProtocolError) {
    guard let datatype = Self(rawValue: name) else {
      let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw InferenceProtocolError("there is no datatype '\(name.clipped)', only \(names)")
    }
    self = datatype
  }
}
