import Foundation
import Graph
import TensorCore

/// One operation with operands, and the results that LiteRT's reference kernels gave for them; the JSON file
/// names the script and versions that made it.
struct GoldenCase: Decodable, CustomStringConvertible {
  let name: String
  let `operator`: String
  let attributes: [String: Attribute]
  let inputs: [GoldenTensor]
  let outputs: [GoldenTensor]

  var description: String { name }

  static let dataMovement: [GoldenCase] = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Fixtures/ops/data_movement.json")
    struct File: Decodable { let cases: [GoldenCase] }
    guard let data = try? Data(contentsOf: path), let file = try? JSONDecoder().decode(File.self, from: data)
    else { return [] }
    return file.cases
  }()

  /// An integer, a list of them, or the name of an element type.
  enum Attribute: Decodable {
    case integer(Int)
    case integers([Int])
    case type(DataType)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let integer = try? container.decode(Int.self) {
        self = .integer(integer)
      } else if let integers = try? container.decode([Int].self) {
        self = .integers(integers)
      } else {
        let name = try container.decode(String.self)
        guard let type = DataType(rawValue: name) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: name)
        }
        self = .type(type)
      }
    }
  }

  func integer(_ key: String) -> Int {
    if case .integer(let value)? = attributes[key] { value } else { 0 }
  }

  func integers(_ key: String) -> [Int] {
    if case .integers(let value)? = attributes[key] { value } else { [] }
  }

  var type: DataType {
    if case .type(let value)? = attributes["type"] { value } else { .int32 }
  }
}

/// A tensor as the JSON file writes it: float16 as the integers of its bits, booleans as 0 and 1.
struct GoldenTensor: Decodable {
  let type: String
  let shape: [Int]
  let elements: [Number]
  let constant: Bool?
  let scales: [Float]?
  let zeroPoints: [Int32]?
  let axis: Int?

  /// Integers beyond 2⁵³ would lose digits as doubles.
  enum Number: Decodable {
    case integer(Int64)
    case real(Double)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      // Zero may be a negative one.
      if let integer = try? container.decode(Int64.self), integer != 0 {
        self = .integer(integer)
      } else {
        self = .real(try container.decode(Double.self))
      }
    }

    var integer: Int64 { if case .integer(let value) = self { value } else { 0 } }

    var real: Double {
      switch self {
      case .integer(let value): Double(value)
      case .real(let value): value
      }
    }
  }

  /// The same tensor with another shape and other elements.
  func with(shape: [Int], elements: [Number]) -> GoldenTensor {
    GoldenTensor(
      type: type, shape: shape, elements: elements, constant: constant, scales: scales,
      zeroPoints: zeroPoints,
      axis: axis)
  }

  func tensor() throws -> Tensor {
    guard let dataType = DataType(rawValue: type) else {
      throw ApusError(.argument, "type \(type)")
    }
    let quantization: Quantization? =
      if let scales, let zeroPoints {
        try Quantization(scales: scales, zeroPoints: zeroPoints, axis: axis)
      } else {
        nil
      }
    func fill<Element: BitwiseCopyable>(_ element: (Number) -> Element) throws -> Tensor {
      try Tensor(TensorType(dataType, Shape(shape), quantization: quantization)) { bytes in
        let target = bytes.bindMemory(to: Element.self)
        for (index, number) in elements.enumerated() { target[index] = element(number) }
      }
    }
    return switch dataType {
    case .float32: try fill { Float($0.real) }
    case .float64: try fill { $0.real }
    case .int8, .uint8, .bool: try fill { UInt8(truncatingIfNeeded: $0.integer) }
    case .int16, .uint16, .float16, .bfloat16: try fill { UInt16(truncatingIfNeeded: $0.integer) }
    case .int32, .uint32: try fill { UInt32(truncatingIfNeeded: $0.integer) }
    case .int64, .uint64: try fill { UInt64(truncatingIfNeeded: $0.integer) }
    }
  }
}
