import Foundation
import FuzzBodies
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// A file that another process writes into while it is open gives numbers or an error: what was verified when it was opened
/// is not read from it again.
struct ChangedFileTests {
  static let models = [
    SmallModels.float, SmallModels.quantized, SmallModels.composite, SmallModels.movement, SmallModels.sparse,
  ].map { $0.build() }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Calls `body` for each change of a byte of an open file, which is undone then.
  private func change(
    _ path: String, _ bytes: [UInt8], at positions: some Sequence<Int>, _ body: () throws -> Void
  ) throws {
    let descriptor = try #require(open(path, O_WRONLY) as Int32?)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    for position in positions {
      for value in [0, 0x7F, 0x80, 0xFF, bytes[position] &+ 4] {
        try #require(pwrite(descriptor, [value], 1, position) == 1)
        try body()
      }
      try #require(pwrite(descriptor, [bytes[position]], 1, position) == 1)
    }
  }

  @Test(arguments: models.indices) func everyByteOfAnOpenTFLiteFile(_ index: Int) throws {
    let bytes = Self.models[index]
    let path = try folder.write("model.tflite", bytes)
    let importer = try TFLiteLoader.load(path)
    let before = importer.model
    var ran = 0
    try change(path, bytes, at: bytes.indices) {
      guard let graph = try? importer.graph() else { return }
      if try Fuzzing.run(graph) == nil { ran += 1 }
    }
    #expect(ran > 0)
    // What it says of itself is that of the moment when it was opened.
    #expect(importer.model.subgraphs.map(\.name) == before.subgraphs.map(\.name))
    #expect(try Fuzzing.run(importer.graph()) == nil)
  }

  /// The elements that say where others lie are not read again by a model that is compiled.
  @Test func indicesOfACompiledModelStayAsTheyWere() throws {
    let bytes = SmallModels.movement.build()
    let path = try folder.write("model.tflite", bytes)
    let compiled = try Compiler.compile(try TFLiteLoader.load(path).graph())
    #expect(compiled.mappedByteCount == 0)
    var random = SeededRandom()
    let inputs = try compiled.inputs.map { input in
      try Tensor(random.floats(input.type.shape.elementCount), shape: input.type.shape)
    }
    let expected = try compiled.run(inputs)[0].elements(of: Float.self)
    try change(path, bytes, at: bytes.indices) {
      let found = try compiled.run(inputs)[0].elements(of: Float.self)
      #expect(found == expected)
    }
  }

  @Test(arguments: ONNXFixture.names) func manyBytesOfAnOpenONNXFile(_ name: String) throws {
    let bytes = try FileBytes.read(Checkout.fixture("onnx/\(name).onnx").path)
    let path = try folder.write("model.onnx", bytes)
    let importer = try ONNXLoader.load(path)
    var random = SeededRandom(seed: UInt64.random(in: .min ... .max))
    print("seed of the changes to \(name): \(random.seed)")
    try change(path, bytes, at: (0..<60).map { _ in Int.random(in: bytes.indices, using: &random) }) {
      guard let graph = try? importer.graph(shapes: [:], values: [:]) else { return }
      _ = try Fuzzing.run(graph)
    }
  }

  /// What was cut off reads as zeros, also where it was copied.
  @Test func aFileCutShortIsAnError() throws {
    let path = try folder.write(
      "model.tflite", SmallModels.movement.build() + [UInt8](repeating: 0, count: 9000))
    let importer = try TFLiteLoader.load(path)
    #expect(truncate(path, 0) == 0)
    let error = #expect(throws: ApusError.self) { try importer.graph() }
    #expect(error?.kind == .file && error?.file == path)
  }
}
