import Foundation
import TensorCore
import Testing

@testable import Graph

/// Test vectors of single operations, made by `Tools/fixtures/ops-math/make.py` with TFLite's reference
/// kernels.
struct OperationVectors: Decodable {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let operation: String
    let attributes: [String: Attribute]
    let inputs: [Entry]
    let output: Entry
    var testDescription: String { name }
  }

  /// A tensor with its elements as base64 of their little-endian bytes.
  struct Entry: Decodable, Sendable {
    /// The raw value of a ``DataType``.
    let type: String
    let shape: [Int]
    let scales: [Float]?
    let zeroPoints: [Int32]?
    let axis: Int?
    let constant: Bool?
    let data: Data
  }

  /// The value of an attribute.
  enum Attribute: Decodable, Sendable {
    case flag(Bool)
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let flag = try? container.decode(Bool.self) {
        self = .flag(flag)
      } else if let number = try? container.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  let cases: [Case]

  /// The cases of one file, such as `elementwise`, in `$APUS_OPERATION_VECTORS` or where the script puts them.
  static func cases(_ family: String) throws -> [Case] {
    let beside = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Tools/fixtures/ops-math")
    let other = ProcessInfo.processInfo.environment["APUS_OPERATION_VECTORS"]
    let file = (other.map { URL(fileURLWithPath: $0) } ?? beside).appendingPathComponent("\(family).json")
    return try JSONDecoder().decode(OperationVectors.self, from: Data(contentsOf: file)).cases
  }
}

extension OperationVectors.Entry {
  var tensorType: TensorType {
    get throws {
      let quantization = try scales.map {
        try Quantization(scales: $0, zeroPoints: zeroPoints ?? [], axis: axis)
      }
      let dataType = try #require(DataType(rawValue: type))
      return TensorType(dataType, try Shape(shape), quantization: quantization)
    }
  }

  var tensor: Tensor {
    get throws {
      try Tensor(try tensorType) { $0.copyBytes(from: data) }
    }
  }
}

extension OperationVectors.Case {
  func flag(_ name: String) -> Bool {
    if case .flag(let value) = attributes[name] { return value }
    return false
  }

  func number(_ name: String) -> Double {
    if case .number(let value) = attributes[name] { return value }
    return .nan
  }

  func text(_ name: String) -> String {
    if case .text(let value) = attributes[name] { return value }
    return ""
  }
}
