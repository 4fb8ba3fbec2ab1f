import Formats
import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Operators that a file defines itself are replaced by what defines them.
struct ONNXFunctionTests {
  /// Adds an operator of the domain `mine` that gives `b` for `a`.
  private func define(
    _ name: String, _ nodes: [ProtobufBytes], inputs: [String] = ["a"], in builder: inout ONNXBuilder
  ) {
    var function = ProtobufBytes()
    function.add(1, name)
    for input in inputs { function.add(4, input) }
    function.add(5, "b")
    for node in nodes { function.add(7, node) }
    for domain in ["", "mine"] { function.add(9, Self.version(of: domain)) }
    function.add(10, "mine")
    builder.others.add(25, function)
  }

  private static func version(of domain: String) -> ProtobufBytes {
    var version = ProtobufBytes()
    version.add(1, domain)
    version.add(2, domain.isEmpty ? 20 : 1)
    return version
  }

  private func builder(_ type: String) -> ONNXBuilder {
    var builder = ONNXBuilder()
    builder.input("x", [2])
    builder.node(type, ["x"], ["y"], domain: "mine")
    builder.output("y")
    return builder
  }

  private func graph(_ builder: ONNXBuilder) throws(ApusError) -> Graph {
    try ONNXImporter(ONNXModel(StoredBytes(builder.build())), folder: "").graph(shapes: [:], values: [:])
  }

  private func error(_ builder: ONNXBuilder) -> ApusError? {
    do {
      _ = try graph(builder)
      return nil
    } catch {
      return error
    }
  }

  @Test func oneInAnother() throws {
    var builder = builder("Outer")
    define(
      "Outer",
      [ONNXBuilder.node("Inner", ["a"], ["c"], domain: "mine"), ONNXBuilder.node("Exp", ["c"], ["b"])],
      in: &builder)
    define("Inner", [ONNXBuilder.node("Neg", ["a"], ["b"])], in: &builder)
    #expect(try graph(builder).nodes.map(\.operation.name) == ["negate", "exp"])
  }

  /// Names inside are no names outside.
  @Test func namesAreItsOwn() throws {
    var builder = builder("Own")
    builder.floats("hidden", [1], [1])
    define("Own", [ONNXBuilder.node("Add", ["a", "hidden"], ["b"])], in: &builder)
    #expect(error(builder)?.problem == "'hidden' is read, but nothing gives it a value")
  }

  @Test func aMissingInputIsMissingInside() throws {
    var builder = builder("Own")
    define("Own", [ONNXBuilder.node("Clip", ["a", "", "most"], ["b"])], inputs: ["a", "most"], in: &builder)
    let result = try Compiler.compile(graph(builder), CompileOptions()).run([Tensor([-3, 3] as [Float])])
    #expect(try result[0].elements(of: Float.self) == [-3, 3])
  }

  @Test func whatItsDefinitionLacksIsCounted() {
    var builder = builder("Outer")
    let inner = ONNXBuilder.node("Inner", ["a"], ["c"], domain: "mine")
    define(
      "Outer",
      [
        inner, ONNXBuilder.node("Inner", ["c"], ["d"], domain: "mine"),
        ONNXBuilder.node("Loop", ["d"], ["b"]),
      ],
      in: &builder)
    define("Inner", [ONNXBuilder.node("Unknown", ["a"], ["b"])], in: &builder)
    #expect(error(builder)?.problem == "operators that Apus does not run: Loop (1), Unknown (2)")
  }

  @Test func itselfIsRefused() {
    var builder = builder("Own")
    define("Own", [ONNXBuilder.node("Own", ["a"], ["b"], domain: "mine")], in: &builder)
    #expect(error(builder)?.problem == "an operator that is defined by itself")
  }

  /// Forty that each ask for the next one twice would make 2⁴⁰ nodes.
  @Test func manyAreRefused() {
    var builder = builder("Own0")
    for index in 0..<40 {
      let nodes = [("a", "c"), ("c", "b")].map {
        ONNXBuilder.node(
          index < 39 ? "Own\(index + 1)" : "Neg", [$0.0], [$0.1], domain: index < 39 ? "mine" : "")
      }
      define("Own\(index)", nodes, in: &builder)
    }
    #expect(error(builder)?.problem == "over 131072 nodes in operators that the file defines")
  }

  @Test func twoOfOneNameAreRefused() {
    var builder = builder("Own")
    for _ in 0..<2 { define("Own", [ONNXBuilder.node("Neg", ["a"], ["b"])], in: &builder) }
    #expect(error(builder)?.problem.contains("twice") == true)
  }
}
