import Graph
import Networks
import TensorCore

/// A network that is ready for inputs of some types, and runs on memory that the caller has: what an interface of another
/// language runs again and again. Nothing is looked up for a run, nothing converted, and nothing allocated once as many runs
/// were under way at a time.
public struct DirectRun: Sendable {
  /// A tensor of the network.
  public struct Port: Sendable {
    /// The name that the model gives it.
    public let name: String
    /// The name inside the file, where that is another.
    public let innerName: String
    /// Its elements and their shape.
    public let type: TensorType
  }

  /// The inputs of a run, in order.
  public let inputs: [Port]
  /// The outputs of a run, in order. If the number of rows depends on the inputs' elements, the shape has the largest.
  public let outputs: [Port]
  private let model: Model
  /// Of each input the bytes, and whether each has to be 0 or 1.
  private let forms: [(byteCount: Int, isBool: Bool)]
  /// Of each output what writes it.
  private let results: [CompiledModel.NodeResult?]

  init(_ model: Model, inputs: [TensorDescription], outputs names: [OutputName]) {
    self.model = model
    let graph = model.compiled.graph
    self.inputs = zip(inputs, model.inputs).map {
      Port(name: $0.name, innerName: $0.innerName, type: $1.type)
    }
    outputs = zip(names, model.outputs).map { Port(name: $0.name, innerName: $0.innerName, type: $1.type) }
    forms = self.inputs.map { ($0.type.byteCount, $0.type.dataType == .bool) }
    results = graph.outputs.map(model.compiled.result)
  }

  /// Runs the network.
  /// - Parameters:
  ///   - input: the elements of the input at a position, little-endian and without gaps; copied once, before the first node.
  ///   - isCancelled: asked before each node.
  ///   - output: given each output in order, with the shape that it has this time; its elements lie there until it returns.
  /// - Throws: ``ApusError``: kind `argument` for inputs of another number of bytes than their types take, and for a byte of
  ///   a `bool` that is neither 0 nor 1; `cancelled`; what an operation says of its data; what `output` throws.
  public func run(
    input: (Int) -> UnsafeRawBufferPointer, until isCancelled: () -> Bool,
    output: (Int, TensorType, UnsafeRawBufferPointer) throws(ApusError) -> Void
  ) throws(ApusError) {
    try model.withWorkspace { (workspace) throws(ApusError) in
      for index in forms.indices { try write(input(index), to: workspace, index) }
      do throws(ApusError) {
        try model.run(workspace, isCancelled: isCancelled)
      } catch {
        throw error.kind == .cancelled ? error : error.inFile(model.path)
      }
      for index in results.indices {
        let type = try type(ofOutput: index, workspace)
        let bytes = workspace.outputBytes(index)
        try output(index, type, UnsafeRawBufferPointer(rebasing: bytes.prefix(type.byteCount)))
      }
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, to workspace: Workspace, _ index: Int
  ) throws(ApusError) {
    let form = forms[index]
    guard bytes.count == form.byteCount else {
      throw ApusError(
        .argument, "\(bytes.count) bytes for a tensor \(inputs[index].type)",
        expected: "\(form.byteCount) bytes", at: "input \(index) '\(inputs[index].name)'")
    }
    if form.isBool, let bad = bytes.first(where: { $0 > 1 }) {
      throw ApusError(
        .argument, "the byte \(bad) in a tensor of bool", expected: "0 or 1",
        at: "input \(index) '\(inputs[index].name)'")
    }
    workspace.inputBytes(index).copyMemory(from: bytes)
  }

  private func type(ofOutput index: Int, _ workspace: Workspace) throws(ApusError) -> TensorType {
    let type = outputs[index].type
    guard let result = results[index], let rows = workspace.leadingDimension(of: result) else { return type }
    let shape = try Shape(given: [rows] + type.shape.dimensions.dropFirst())
    return TensorType(type.dataType, shape, quantization: type.quantization)
  }
}

extension InferenceSession {
  /// A network ready for inputs of those types, in the order of its inputs; nil where it cannot run on them as they are: such
  /// as a folder's, whose tokens are laid out anew, or one whose shapes depend on the elements of inputs. `run(_:network:)`
  /// runs those.
  /// - Parameters:
  ///   - types: of all inputs.
  ///   - network: its name; nil for the one that is meant when none is named.
  /// - Throws: ``ApusError`` of kind `argument` when there is no such network.
  public func directRun(_ types: [TensorType], network: String? = nil) throws(ApusError) -> DirectRun? {
    let runner = try model.runner(network)
    guard let (ready, outputs) = try runner.direct(types) else { return nil }
    return DirectRun(ready, inputs: try runner.network.inputs(), outputs: outputs)
  }
}
