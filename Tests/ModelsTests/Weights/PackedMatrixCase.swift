import Formats
import Foundation
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A matrix as compressed-tensors packed it: a case of the fixture that `Tools/fixtures/packed_weights` writes.
struct PackedMatrixCase: Decodable, CustomTestStringConvertible, Sendable {
  let bits: Int
  let strategy: String
  let group: Int?
  let symmetric: Bool
  let type: String
  let rows: Int
  let columns: Int
  let packed: [UInt32]
  let packedShape: [Int]
  let scale: [UInt32]
  let scaleShape: [Int]
  let zeroPoint: [UInt32]?
  let zeroPointShape: [Int]?
  /// The bits of what compressed-tensors unpacks, in the type of the scales.
  let weight: [UInt32]

  var testDescription: String {
    "\(bits) bits, \(strategy) \(group ?? 0), \(symmetric ? "symmetric" : "with zero points"), \(type) [\(rows), \(columns)]"
  }

  static let all: [PackedMatrixCase] = {
    struct Document: Decodable { let cases: [PackedMatrixCase] }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let data = try? Data(contentsOf: Checkout.fixture("packed-weights.json")) else { return [] }
    return (try? decoder.decode(Document.self, from: data))?.cases ?? []
  }()

  var form: PackedForm {
    let span: PackedForm.Span =
      strategy == "group" ? .group(group ?? 0) : strategy == "channel" ? .row : .matrix
    return PackedForm(bits: bits, span: span, isSymmetric: symmetric)
  }

  /// The parts as a file has them, under the name `m.weight`.
  var parts: PackedParts {
    PackedParts(
      packed: ("I32", packedShape, Self.bytes(packed, 4)),
      scale: (type, scaleShape, Self.bytes(scale, type == "F32" ? 4 : 2)),
      zeroPoint: zeroPoint.map { ("I32", zeroPointShape ?? [], Self.bytes($0, 4)) },
      shape: ("I64", [2], Self.bytes([UInt32(rows), 0, UInt32(columns), 0], 4)))
  }

  static func bytes(_ numbers: [UInt32], _ width: Int) -> [UInt8] {
    numbers.flatMap { number in (0..<width).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
  }
}

/// The tensors of a packed matrix, any of which may be changed or missing.
struct PackedParts {
  typealias Part = (type: String, shape: [Int], bytes: [UInt8])

  var packed: Part?
  var scale: Part?
  var zeroPoint: Part?
  var shape: Part?
  var others: [(name: String, part: Part)] = []

  /// The place `m` of a model whose configuration names such forms.
  func path(_ forms: [PackedForm]?, hasRows: Bool = false) throws -> WeightPath {
    let named = [("packed", packed), ("scale", scale), ("zero_point", zeroPoint), ("shape", shape)]
    var tensors: [(name: String, type: String, shape: [Int], bytes: [UInt8])] = []
    for case (let ending, let part?) in named {
      tensors.append(("m.weight_\(ending)", part.type, part.shape, part.bytes))
    }
    for (name, part) in others { tensors.append((name, part.type, part.shape, part.bytes)) }
    let file = try SafetensorsFile(SafetensorsBuilder.file(tensors), named: "model.safetensors")
    return WeightPath(SafetensorsCollection(file))
      .stored(in: forms.map { CompressedForms(packed: $0, hasRows: hasRows) })["m"]
  }
}
