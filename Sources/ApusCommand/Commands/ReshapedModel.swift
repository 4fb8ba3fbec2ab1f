import Apus

/// Loading a model for inputs whose shapes may differ from those in its file, or whose elements decide shapes
/// inside it.
enum ReshapedModel {
  /// - Throws: ``ApusError`` of kind `argument` that gives both shapes, when the model cannot be run on others
  ///   than those in its file.
  static func load(
    _ file: ModelFile, options: ModelOptions, inputs: [Tensor]
  ) throws(ApusError) -> Model {
    let interface = try file.interface(options.entry)
    let tensors = file.description.subgraphs[interface.subgraph].tensors
    var shapes: [Int: Shape] = [:]
    for (position, port) in interface.inputs.enumerated() where position < inputs.count {
      if tensors[port.tensor].shape != inputs[position].shape { shapes[position] = inputs[position].shape }
    }
    do {
      return try Model(file, options: options, inputShapes: shapes)
    } catch {
      if error.kind == .unsupportedModel,
        let model = specialized(file, options: options, inputs: inputs, inputShapes: shapes)
      {
        return model
      }
      guard error.kind == .malformedModel, let (position, shape) = shapes.min(by: { $0.key < $1.key }) else {
        throw error
      }
      let port = interface.inputs[position]
      throw ApusError(
        .argument, "a tensor of shape \(shape)", expected: "\(tensors[port.tensor].shape)",
        at: "input \(position) '\(port.name)'", file: file.path,
        advice: "With the shape given, \(error.location ?? "the model") fails: \(error.problem).")
    }
  }

  /// The model for the very elements of its small inputs, which may be what its shapes are computed from; nil
  /// when that does not help either.
  private static func specialized(
    _ file: ModelFile, options: ModelOptions, inputs: [Tensor], inputShapes: [Int: Shape]
  ) -> Model? {
    let small = inputs.enumerated().filter { $0.element.shape.elementCount <= 64 }
    guard !small.isEmpty else { return nil }
    let values = Dictionary(uniqueKeysWithValues: small.map { ($0.offset, $0.element) })
    return try? Model(file, options: options, inputShapes: inputShapes, inputValues: values)
  }
}
