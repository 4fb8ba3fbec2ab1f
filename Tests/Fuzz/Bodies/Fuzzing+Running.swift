import Formats
import Graph
import Models
import TensorCore

extension Fuzzing {
  /// Reads bytes as an ONNX model and, when it is small, compiles it and runs it once on zeros.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func run(onnx bytes: [UInt8]) -> ApusError? {
    do {
      // No file lies beside bytes.
      let importer = ONNXImporter(try ONNXModel(StoredBytes(bytes)), folder: "/nowhere")
      return try run(importer.graph(shapes: [:], values: [:]))
    } catch {
      return error
    }
  }

  /// Reads bytes as a TFLite model and, when it is small, compiles it and runs it once on zeros.
  /// - Returns: why the bytes were refused, or nil.
  @discardableResult
  package static func run(tflite bytes: [UInt8]) -> ApusError? {
    do {
      return try run(TFLiteImporter(TFLiteModel(bytes)).graph())
    } catch {
      return error
    }
  }

  /// Compiles a small graph and runs it once on zeros.
  /// - Returns: why it was refused, or nil.
  package static func run(_ graph: Graph) throws(ApusError) -> ApusError? {
    do throws(ApusError) {
      guard SmallModel.allow(graph) else { return nil }
      var options = CompileOptions()
      options.threads = 1
      let compiled = try Compiler.compile(graph, options)
      guard compiled.plan.byteCount <= SmallModel.arenaByteCount else { return nil }
      var inputs: [Tensor] = []
      for input in compiled.inputs { inputs.append(try Tensor(input.type) { _ in }) }
      _ = try compiled.run(inputs)
      return nil
    } catch {
      return error
    }
  }
}

/// What a model may ask for before the fuzzer runs it, so that a single case takes a moment only.
private enum SmallModel {
  static let arenaByteCount = 16 << 20
  static let multiplyAccumulates = 1 << 26

  static func allow(_ graph: Graph) -> Bool {
    let byteCount = graph.values.reduce(0) { min($0 + min($1.type.byteCount, 1 << 40), 1 << 50) }
    let work = graph.nodes.reduce(0) { min($0 + min(steps($1, graph), 1 << 40), 1 << 50) }
    return byteCount <= 4 * arenaByteCount && work <= multiplyAccumulates
  }

  /// About how often the innermost loop of a node goes round, where that is more than its elements.
  private static func steps(_ node: Node, _ graph: Graph) -> Int {
    let results = node.outputs.map { graph[$0].type }
    let elements = results.first?.shape.elementCount ?? 0
    switch node.operation {
    case let pool as Pool2D: return [elements, pool.filter.height, pool.filter.width].saturatingProduct
    case let normalization as LocalResponseNormalization:
      return [elements, 2, max(1, normalization.radius)].saturatingProduct
    default: return node.operation.multiplyAccumulates(graph.operands(of: node), results: results)
    }
  }
}
