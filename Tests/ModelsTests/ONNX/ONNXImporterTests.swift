import Formats
import Foundation
import FuzzBodies
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// How a file becomes a graph, and what is refused.
struct ONNXImporterTests {
  private func importer(_ builder: ONNXBuilder, folder: String = "/nowhere") throws(ApusError) -> ONNXImporter
  {
    ONNXImporter(try ONNXModel(StoredBytes(builder.build())), folder: folder)
  }

  private func error(_ builder: ONNXBuilder) -> ApusError? {
    do {
      _ = try importer(builder).graph(shapes: [:], values: [:])
      return nil
    } catch {
      return error
    }
  }

  private static func chain(_ types: [String]) -> ONNXBuilder {
    var builder = ONNXBuilder()
    builder.input("v0", [2, 3])
    for (index, type) in types.enumerated() { builder.node(type, ["v\(index)"], ["v\(index + 1)"]) }
    builder.output("v\(types.count)", [2, 3])
    return builder
  }

  @Test func everythingThatIsMissingIsNamedAtOnce() {
    let error = error(Self.chain(["Relu", "Loop", "NonZero", "Loop", "Tanh"]))
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.problem == "operators that Apus does not run: Loop (2), NonZero (1)")
  }

  @Test(arguments: [6, 99]) func versionsThatAreNotKnownAreRefused(_ version: Int) {
    var builder = Self.chain(["Relu"])
    builder.version = version
    #expect(error(builder)?.problem == "version \(version) of ONNX's operators")
    #expect(error(builder)?.location == "node 0 (Relu)")
  }

  @Test func anAttributeThatNothingReadsIsRefused() {
    var builder = ONNXBuilder()
    builder.input("x", [1])
    builder.node("Relu", ["x"], ["y"], attributes: [ONNXBuilder.attribute("slope", 1)])
    builder.output("y")
    #expect(error(builder)?.problem == "the attribute 'slope'")
  }

  @Test func damagedGraphsAreRefused() {
    var circle = ONNXBuilder()
    circle.input("x", [1])
    circle.node("Add", ["x", "b"], ["a"])
    circle.node("Relu", ["a"], ["b"])
    circle.output("b")
    #expect(error(circle)?.problem == "it depends on its own result, by 'b'")

    var missing = ONNXBuilder()
    missing.node("Relu", ["nowhere"], ["y"])
    missing.output("y")
    #expect(error(missing)?.problem == "'nowhere' is read, but nothing gives it a value")

    var twice = Self.chain(["Relu"])
    twice.node("Tanh", ["v0"], ["v1"])
    #expect(error(twice)?.problem == "two nodes give 'v1' a value")

    // An input, and a tensor of the file, that a node gives a value too.
    var input = Self.chain(["Relu"])
    input.node("Tanh", ["v1"], ["v0"])
    #expect(error(input)?.problem == "it gives 'v0' a value, which has one before")
    #expect(error(input)?.location == "node 1 (Tanh)")
    var constant = Self.chain(["Relu"])
    constant.floats("w", [1], [1])
    constant.node("Tanh", ["v1"], ["w"])
    #expect(error(constant)?.problem == "it gives 'w' a value, which has one before")

    var doubled = Self.chain(["Relu"])
    doubled.floats("w", [1], [1])
    doubled.floats("w", [1], [2])
    #expect(error(doubled)?.problem == "two initializers")

    var misfit = ONNXBuilder()
    misfit.input("x", [2, 3])
    misfit.input("y", [4])
    misfit.node("Add", ["x", "y"], ["z"], name: "sum")
    misfit.output("z")
    #expect(error(misfit)?.kind == .malformedModel)
    #expect(error(misfit)?.location?.hasPrefix("node 0 'sum' (Add)") == true)
  }

  /// Sizes of parts are numbers of the file: their sum may be more than a number holds.
  @Test func partsOfAnySize() {
    for sizes in [[1 << 62, 1 << 62], [Int.max, 1, Int.max, 3], [-1, 4]] {
      var builder = ONNXBuilder()
      builder.input("x", [3])
      builder.integers("sizes", [sizes.count], sizes)
      builder.node("Split", ["x", "sizes"], sizes.indices.map { "part\($0)" })
      builder.output("part0")
      #expect(error(builder)?.location?.hasPrefix("node 0 (Split)") == true)
    }
  }

  /// Every operator asks for its operands, and for their axes, before it looks at them.
  @Test(arguments: ONNXOperators.names.map { [$0.domain, $0.name] })
  func operandsMayBeOfAnyNumberAndShape(_ parts: [String]) {
    let domain = parts[0]
    for count in 0...5 {
      for rank in 0...5 {
        var builder = ONNXBuilder()
        builder.input("x", [Int](repeating: 2, count: rank))
        builder.node(
          parts[1], [String](repeating: "x", count: count), ["y", "z"], domain: domain)
        builder.output("y")
        var version = ProtobufBytes()
        version.add(1, domain)
        version.add(2, 1)
        if !domain.isEmpty { builder.others.add(8, version) }
        // An error that names the node, or a graph.
        if let error = error(builder) { #expect(error.location != nil) }
      }
    }
  }

  /// Names that Swift takes for equal are two: é in one character and in two.
  @Test func namesAreComparedByTheirBytes() throws {
    var builder = ONNXBuilder()
    builder.input("\u{E9}", [1])
    builder.node("Neg", ["\u{E9}"], ["e\u{301}"])
    builder.node("Exp", ["e\u{301}"], ["y"])
    builder.output("y")
    let graph = try importer(builder).graph(shapes: [:], values: [:])
    let result = try Compiler.compile(graph, CompileOptions()).run([Tensor([0] as [Float])])
    #expect(try result[0].elements(of: Float.self) == [1])
    #expect(graph.nodes.count == 2)
  }

  @Test func nodesInAnyOrderAndWithoutUse() throws {
    var builder = ONNXBuilder()
    builder.input("x", [2])
    builder.node("Exp", ["a"], ["y"])
    builder.node("Loop", ["x"], ["unused"])
    builder.node("Neg", ["x"], ["a"])
    builder.output("y")
    let graph = try importer(builder).graph(shapes: [:], values: [:])
    #expect(graph.nodes.map(\.operation.name) == ["negate", "exp"])
  }

  @Test func aKnownConditionChoosesABranch() throws {
    for isTrue in [true, false] {
      var builder = ONNXBuilder()
      builder.input("x", [nil])
      builder.integers("two", [1], [2])
      builder.node("Shape", ["x"], ["shape"])
      builder.node("Less", ["shape", "two"], ["isSmall"])
      func branch(_ type: String) -> ProtobufBytes {
        var graph = ProtobufBytes()
        graph.add(1, ONNXBuilder.node(type, ["x"], ["inner"]))
        graph.add(12, ONNXBuilder.value("inner", [nil]))
        return graph
      }
      builder.node(
        "If", ["isSmall"], ["y"],
        attributes: [
          ONNXBuilder.attribute("then_branch", graph: branch("Neg")),
          ONNXBuilder.attribute("else_branch", graph: branch("Exp")),
        ])
      builder.output("y")
      let graph = try importer(builder).graph(shapes: [0: Shape([isTrue ? 1 : 3])], values: [:])
      #expect(graph.nodes.map(\.operation.name) == [isTrue ? "negate" : "exp"])
    }
  }

  @Test func weightsInAFileBeside() throws {
    let folder = try TemporaryFolder()
    let elements: [Float] = [9, 1, 2, 3, 4]
    try folder.write("weights.data", elements.withUnsafeBytes { Array($0) })
    let graph = try importer(Self.product(in: "weights.data"), folder: folder.path).graph(
      shapes: [:], values: [:])
    let result = try Compiler.compile(graph, CompileOptions()).run([
      Tensor([1, 10] as [Float], shape: [1, 2])
    ])
    #expect(try result[0].elements(of: Float.self) == [31, 42])
  }

  /// A product with a matrix that lies in another file, behind four bytes.
  private static func product(in file: String) -> ONNXBuilder {
    var builder = ONNXBuilder()
    builder.input("x", [1, 2])
    var tensor = ONNXBuilder.tensor("w", type: 1, [2, 2])
    for (key, value) in [("location", file), ("offset", "4"), ("length", "16")] {
      var entry = ProtobufBytes()
      entry.add(1, key)
      entry.add(2, value)
      tensor.add(13, entry)
    }
    tensor.add(14, 1)
    builder.graph.add(5, tensor)
    builder.node("MatMul", ["x", "w"], ["y"])
    builder.output("y")
    return builder
  }

  /// A link that leads out of the folder is not followed, but into the blobs of the cache that the folder is in.
  @Test func linksOutOfTheFolder() throws {
    let root = try TemporaryFolder()
    let bytes = [UInt8](repeating: 0, count: 20)
    try root.write("secret", bytes)
    try root.write("hub/blobs/1234", bytes)
    try root.write("hub/snapshots/a/config.json", "{}")
    let model = "\(root.path)/hub/snapshots/a"
    for (link, target) in [("out", "\(root.path)/secret"), ("blob", "../../blobs/1234")] {
      try FileManager.default.createSymbolicLink(atPath: "\(model)/\(link)", withDestinationPath: target)
    }
    _ = try importer(Self.product(in: "blob"), folder: model).graph(shapes: [:], values: [:])
    do {
      _ = try importer(Self.product(in: "out"), folder: model).graph(shapes: [:], values: [:])
      Issue.record("a file elsewhere was read")
    } catch {
      #expect(error.kind == .file && error.problem == "leads out of the model's folder")
    }
  }

  /// Convolutions, a residual and gates of a channels-first file stay in one order: its picture alone is turned round, and what
  /// shuffles channels, which is a quarter as large.
  @Test func channelsAreMovedAtTheEdgesAlone() throws {
    let fixture = try ONNXFixture("network")
    let graph = try fixture.importer.graph(shapes: [:], values: [:])
    let spatial = graph.nodes.filter {
      $0.operation.name == "transpose" && graph[$0.outputs[0]].type.shape.elementCount > 256
    }
    #expect(spatial.count == 1)
  }

  /// A spelled encoder becomes the operations that a folder of BERT has.
  @Test func spellingsAreRecognized() throws {
    let fixture = try ONNXFixture("encoder")
    let run = try #require(try fixture.run(0))
    let shapes = Dictionary(uniqueKeysWithValues: run.inputs.enumerated().map { ($0, $1.shape) })
    let graph = try fixture.importer.graph(shapes: shapes, values: [:])
    let compiled = try Compiler.compile(graph, CompileOptions()).graph
    let names = compiled.nodes.map(\.operation.name)
    #expect(names.filter { $0 == "layerNormalization" }.count == 3)
    #expect(!names.contains("erf"))
    #expect(names.filter { $0 == "linear" }.count == 7)
  }

  @Test func damageEndsInAResultOrAnError() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("seed of the damage to ONNX files: \(seed)")
    var random = SeededRandom(seed: seed)
    for name in [
      "shaping", "pooling", "selection", "integers", "runtime", "recurrence", "own", "learned", "vectors",
    ] {
      let bytes = try FileBytes.read(Checkout.fixture("onnx/\(name).onnx").path)
      for _ in 0..<150 {
        var damaged = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        Fuzzing.run(onnx: damaged)
      }
    }
  }
}
