import Foundation
import TensorCore
import TestSupport
import Testing

/// One operator with its operands, and the results that TFLite's reference kernels gave for them.
/// `Tools/fixtures/operators/make.py` makes the files, each with the versions that it ran with.
struct OperatorVector: Decodable, Sendable {
  /// A tensor with its elements as base64 of their little-endian bytes.
  struct Entry: Decodable, Sendable {
    /// The raw value of a ``DataType``.
    let type: String
    var shape: [Int]
    let scales: [Float]?
    let zeroPoints: [Int32]?
    let axis: Int?
    let constant: Bool?
    var data: Data
  }

  enum OptionValue: Decodable, Sendable {
    case flag(Bool)
    case number(Double)
    case list([Double])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .list(try container.decode([Double].self))
      }
    }
  }

  let name: String
  /// The name in the schema.
  let `operator`: String
  let version: Int?
  /// Fields by their names in the schema, where they are not at their defaults.
  let options: [String: OptionValue]?
  let inputs: [Entry]
  let outputs: [Entry]

  /// The names of the files, in `$APUS_OPERATOR_VECTORS` or where the script puts them.
  static let families: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }()

  private static let folder =
    ProcessInfo.processInfo.environment["APUS_OPERATOR_VECTORS"].map { URL(fileURLWithPath: $0) }
    ?? Checkout.fixture("operators")

  /// The cases of one file, such as `elementwise`.
  static func family(_ name: String) throws -> [OperatorVector] {
    struct File: Decodable { let cases: [OperatorVector] }
    let data = try Data(contentsOf: folder.appendingPathComponent("\(name).json"))
    return try JSONDecoder().decode(File.self, from: data).cases
  }
}

extension OperatorVector.Entry {
  var dataType: DataType {
    get throws { try #require(DataType(rawValue: type)) }
  }

  var quantization: Quantization? {
    get throws {
      try scales.map { try Quantization(scales: $0, zeroPoints: zeroPoints ?? [], axis: axis) }
    }
  }

  var tensor: Tensor {
    get throws {
      let type = TensorType(try dataType, try Shape(shape), quantization: try quantization)
      return try Tensor(type) { $0.copyBytes(from: data) }
    }
  }
}
