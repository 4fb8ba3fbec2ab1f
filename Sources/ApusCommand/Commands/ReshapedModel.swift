import Apus

/// Loading a model for inputs whose shapes may differ from those in its file.
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
}
