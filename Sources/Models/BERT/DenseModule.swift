import Formats
import Graph
import TensorCore

/// A linear layer behind pooling, with an activation: the module Dense of sentence-transformers, whose weights lie in a
/// folder of its own.
struct DenseModule: Sendable {
  private let weights: WeightPath
  /// How errors and graphs name it: its folder.
  private let place: String
  private let inputs: Int
  /// Features of its result.
  let outputs: Int
  private let hasBias: Bool
  private let activation: LinearActivation
  /// Whether what it is given is added to its result, through another linear layer where that has other features.
  private let isResidual: Bool

  /// - Parameters:
  ///   - path: its folder, in that of the list of modules.
  ///   - folder: that of the list.
  init(_ path: String, in folder: ModelFolder) throws(ApusError) {
    place = path
    let settings = try folder.reading("\(path)/config.json", Self.settings)
    (inputs, outputs, hasBias) = (settings.inputs, settings.outputs, settings.hasBias)
    (activation, isResidual) = (settings.activation, settings.isResidual)
    weights = WeightPath(try ModelFolder("\(folder.path)/\(path)").weights())
  }

  /// - Parameter x: float32 [texts, features].
  func callAsFunction(_ x: Value, in graph: inout GraphBuilder) throws(ApusError) -> Value {
    guard graph.width(x) == inputs else {
      throw ApusError(
        .configuration, "is \(inputs)", expected: "\(graph.width(x)), the features of a text",
        at: "in_features",
        file: "\(place)/config.json")
    }
    let result = try linear(x, "linear", hasBias: hasBias, activation, in: &graph)
    guard isResidual else { return result }
    let own = inputs == outputs ? x : try linear(x, "residual", hasBias: false, .none, in: &graph)
    return try graph.sum(result, own, at: "\(place) sum")
  }

  /// The constants have no source: their names are none of the model's own file.
  private func linear(
    _ x: Value, _ name: String, hasBias: Bool, _ activation: LinearActivation, in graph: inout GraphBuilder
  ) throws(ApusError) -> Value {
    let layer = weights[name]
    let matrix = graph.constant(
      "\(place).\(name).weight", try layer.tensor("weight", [outputs, inputs]))
    let bias = try hasBias ? graph.constant("\(place).\(name).bias", layer.tensor("bias", [outputs])) : nil
    return try graph.apply(
      Linear(hasBias: hasBias, activation: activation), [x, matrix] + (hasBias ? [bias] : []),
      at: "\(place).\(name)")
  }

  struct Settings {
    let inputs, outputs: Int
    let hasBias: Bool
    let activation: LinearActivation
    let isResidual: Bool
  }

  static func settings(_ options: ConfigurationReader) throws(ApusError) -> Settings {
    for key in ["module_input_name", "module_output_name"] {
      try options.require(key, isOneOf: .string("sentence_embedding"))
    }
    return Settings(
      inputs: try options.size("in_features"), outputs: try options.size("out_features"),
      hasBias: try options.bool("bias", default: true),
      activation: try options.choice(
        "activation_function",
        [
          "torch.nn.modules.activation.Tanh": LinearActivation.tanh,
          "torch.nn.modules.linear.Identity": .none,
          "torch.nn.modules.activation.ReLU": .relu, "torch.nn.modules.activation.GELU": .gelu(.exact),
          "torch.nn.modules.activation.SiLU": .swish,
        ], default: .tanh),
      isResidual: try options.bool("use_residual", default: false))
  }
}
