import Graph
import Models
import TensorCore

/// The models of a file's network, for inputs whose shapes may differ from those in the file, or whose elements decide
/// shapes inside it.
final class FileRunner: NetworkRunning {
  /// The inputs for which a model was compiled.
  private struct GivenInputs: Hashable {
    /// Shapes other than those in the file, by the input's position.
    var shapes: [Int: Shape] = [:]
    /// Elements that inputs have in every run, by the input's position.
    var values: [Int: KnownInput] = [:]
  }

  private struct KnownInput: Hashable {
    let dataType: DataType
    let shape: Shape
    let bytes: [UInt8]
  }

  private let network: FileNetwork
  private let models: ShapedModels<GivenInputs>
  /// Shapes with which the elements of small inputs must be known too.
  private let valueDependent = Lock<Set<[Int: Shape]>>([])

  /// Inputs of more elements are data, not shapes.
  private static let largestKnown = 64
  private static let rememberedShapes = 64

  init(_ network: FileNetwork, path: String, _ options: ModelOptions) {
    self.network = network
    // What is computed from the elements of inputs may be weights.
    models = ShapedModels(
      path: path, options: options, hasCommonWeights: { $0.values.isEmpty }
    ) { (inputs) throws(ApusError) in
      var values: [Int: Tensor] = [:]
      for (position, input) in inputs.values {
        values[position] = try Tensor(TensorType(input.dataType, input.shape)) {
          $0.copyBytes(from: input.bytes)
        }
      }
      return try network.importer.graph(shapes: inputs.shapes, values: values)
    }
  }

  func runs(_ tensors: [Tensor?]) throws(ApusError) -> PreparedRuns {
    let stated = try network.inputs()
    let inputs = tensors.compactMap(\.self)
    for (position, (tensor, input)) in zip(inputs, stated).enumerated()
    where tensor.dataType != input.dataType {
      throw ApusError(
        .argument, "a tensor \(tensor.dataType.rawValue)\(tensor.shape)",
        expected: "\(input.dataType.rawValue)\(input.shape)", at: Self.place(position, input))
    }
    let shapes = Self.others(inputs.map(\.shape), stated)
    return PreparedRuns(
      PreparedRun(model: try model(inputs, shapes, stated), inputs: inputs), outputNames: try outputNames())
  }

  private func outputNames() throws(ApusError) -> [OutputName] {
    try network.importer.interface().outputs.map { OutputName($0.name, innerName: $0.innerName) }
  }

  func direct(_ types: [TensorType]) throws(ApusError) -> (model: Model, outputs: [OutputName])? {
    let stated = try network.inputs()
    guard types.count == stated.count, zip(types, stated).allSatisfy({ $0.dataType == $1.dataType }) else {
      return nil
    }
    let shapes = Self.others(types.map(\.shape), stated)
    guard !valueDependent.withLock({ $0.contains(shapes) }),
      let model = try? models.model(GivenInputs(shapes: shapes)),
      model.inputs.allSatisfy({ $0.constant == nil })
    else { return nil }
    return (model, try outputNames())
  }

  func prepare(_ shapes: [Shape?]) throws(ApusError) -> ReadyNetwork {
    let stated = try network.inputs()
    let others = Self.others(shapes, stated)
    do throws(ApusError) {
      let model = try models.model(GivenInputs(shapes: others))
      let outputs = zip(try network.importer.interface().outputs, model.outputs).map { port, output in
        TensorDescription(port.name, innerName: port.innerName, output.type)
      }
      return ReadyNetwork(outputs: outputs, model: model)
    } catch {
      // What depends on elements is compiled when they are there.
      let mayDepend = stated.contains { $0.shape.elementCount <= Self.largestKnown }
      guard error.kind == .unsupportedModel, mayDepend, try network.importer.hasOperators() else {
        throw Self.explained(error, others, stated)
      }
      return ReadyNetwork(outputs: try network.outputs(), model: nil)
    }
  }

  var memory: ModelMemory { models.memory }

  func releaseIdleMemory() { models.releaseIdleMemory() }

  func takeRunTimes() -> [Duration] { models.takeRunTimes() }

  private func model(
    _ inputs: [Tensor], _ shapes: [Int: Shape], _ stated: [TensorDescription]
  ) throws(ApusError) -> Model {
    if valueDependent.withLock({ $0.contains(shapes) }), let model = specialized(inputs, shapes) {
      return model
    }
    do throws(ApusError) {
      return try models.model(GivenInputs(shapes: shapes))
    } catch {
      guard error.kind == .unsupportedModel, let model = specialized(inputs, shapes) else {
        throw Self.explained(error, shapes, stated)
      }
      valueDependent.withLock { known in
        if known.count >= Self.rememberedShapes { known = [] }
        known.insert(shapes)
      }
      return model
    }
  }

  /// The model for the very elements of its small inputs, which may be what its shapes are computed from; nil when
  /// that does not help either.
  private func specialized(_ inputs: [Tensor], _ shapes: [Int: Shape]) -> Model? {
    let small = inputs.enumerated().filter { $0.element.shape.elementCount <= Self.largestKnown }
    guard !small.isEmpty else { return nil }
    let values = small.map { position, tensor in
      let bytes = tensor.withBytes { [UInt8]($0) }
      return (position, KnownInput(dataType: tensor.dataType, shape: tensor.shape, bytes: bytes))
    }
    return try? models.model(GivenInputs(shapes: shapes, values: Dictionary(uniqueKeysWithValues: values)))
  }

  /// The shapes that differ from the file's.
  private static func others(_ shapes: [Shape?], _ stated: [TensorDescription]) -> [Int: Shape] {
    var others: [Int: Shape] = [:]
    for (position, (shape, input)) in zip(shapes, stated).enumerated() {
      if let shape, shape != input.shape { others[position] = shape }
    }
    return others
  }

  /// Blames a caller's shape for the failure of an operator with it.
  private static func explained(
    _ error: ApusError, _ shapes: [Int: Shape], _ stated: [TensorDescription]
  ) -> ApusError {
    guard error.kind == .malformedModel, let (position, shape) = shapes.min(by: { $0.key < $1.key }) else {
      return error
    }
    return ApusError(
      .argument, "a tensor of shape \(shape)", expected: "\(stated[position].shape)",
      at: "input \(position) '\(stated[position].name)'",
      advice: "With the shape given, \(error.location ?? "the model") fails: \(error.problem).")
  }

  private static func place(_ position: Int, _ input: TensorDescription) -> String {
    "input \(position) ('\(input.name)')"
  }
}
