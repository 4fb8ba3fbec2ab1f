import Foundation
@testable import Formats
import Graph
import JSONCoding
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A small model that `Tools/fixtures/transformers/make.py` made, and what PyTorch says of it.
struct ModelFixture {
  let folder: ModelFolder
  let expected: ConfigurationReader

  init(_ name: String, _ file: String = "expected.json") throws {
    folder = try ModelFolder(Checkout.modelFolder(name))
    expected = try folder.configuration(file)
  }

  /// Numbers under a key.
  func numbers(_ key: String, _ reader: ConfigurationReader? = nil) throws -> [Float] {
    try #require(try (reader ?? expected).optionalList(key, of: "numbers") { $0.double.map { Float($0) } })
  }

  /// The token ids of each text.
  func ids(_ key: String = "ids") throws -> [[Int32]] {
    try #require(
      try expected.optionalList(key, of: "lists") { list -> [Int32]? in
        guard case .array(let numbers) = list else { return nil }
        return numbers.compactMap { $0.int.map { Int32($0) } }
      })
  }

  /// The pictures that were classified or embedded.
  func pictures() throws -> [PictureCase] {
    let list = try #require(try expected.optionalList("images", of: "cases") { $0 })
    return try list.map { try PictureCase($0) }
  }

  /// The result of an image tower for a case's pictures.
  static func run(_ tower: any ImageTower, _ picture: PictureCase) throws -> [Float] {
    let model = try Compiler.compile(tower.graph(batch: picture.count))
    return try output(model, [picture.pixels()])
  }

  /// The result of a text tower for all texts as one ragged batch.
  static func run(_ tower: any TextTower, _ texts: [[Int32]]) throws -> [Float] {
    try run(tower, texts.map { TokenRow($0) })
  }

  static func run(_ tower: any TextTower, _ rows: [TokenRow]) throws -> [Float] {
    let inputs = try tower.inputs(rows)
    let tokens = try #require(inputs.first).shape.elementCount
    let graph = try tower.graph(
      tokens: tokens, sequences: rows.count, hasUnattendedTokens: tower.hasUnattendedTokens(rows))
    return try output(Compiler.compile(graph), inputs)
  }

  static func output(_ model: CompiledModel, _ inputs: [Tensor]) throws -> [Float] {
    let workspace = try model.makeWorkspace()
    try workspace.setInputs(inputs)
    try workspace.run()
    return try workspace.output(0).elements()
  }
}

/// Pictures of one size, and the numbers expected for them.
struct PictureCase {
  let count: Int
  let size: ImageSize
  let channels: Int
  private let value: JSONValue

  init(_ value: JSONValue) throws {
    self.value = value
    count = try #require(value["count"]?.int)
    size = ImageSize(
      height: try #require(value["height"]?.int), width: try #require(value["width"]?.int))
    channels = try #require(value["channels"]?.int)
  }

  func numbers(_ key: String) throws -> [Float] {
    guard case .array(let list)? = value[ExactText(key)] else { return [] }
    return list.compactMap { $0.double.map { Float($0) } }
  }

  /// The pixels by the rule of `make.py`.
  func pixels() throws -> Tensor {
    let elementCount = count * size.height * size.width * channels
    let elements = (0..<elementCount).map { (index: Int) -> Float in
      let byte = (index * 7919 + 13) % 256
      return Float(byte) / 128 - 1
    }
    return try Tensor(elements, shape: Shape([count, size.height, size.width, channels]))
  }
}

/// Whether numbers are within 1e-5 of PyTorch's, relative to the largest of these.
func expectClose(
  _ found: [Float], _ expected: [Float], tolerance: Float = 1e-5, _ what: String = "",
  at location: SourceLocation = #_sourceLocation
) {
  let largest = expected.map(abs).max() ?? 0
  let worst = zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
  #expect(found.count == expected.count, "\(what)", sourceLocation: location)
  #expect(
    worst <= tolerance * largest, "\(what): off by \(worst / largest) of the largest, \(largest)",
    sourceLocation: location)
}
