import Formats
import Graph
import Models
import Networks
import TensorCore

/// Runs samples through the networks of a model folder, one for each shape of input.
struct SampleRuns {
  /// The values observed besides the model's output.
  enum Observation { case nothing, inputsOfLayers, outputsOfLayers }

  private let model: OpenedModel
  private let weights: SafetensorsCollection
  private let observation: Observation
  private var options = CompileOptions()
  private var networks: [NetworkShape: ObservedNetwork] = [:]

  fileprivate struct ObservedNetwork {
    let workspace: Workspace
    let structure: LinearStructure
    /// Where among the outputs what is observed of each layer is.
    let places: [Int]
  }

  /// The results of a sample, valid until the next one runs.
  struct Run {
    private let network: ObservedNetwork
    let output: [Float]

    fileprivate init(_ network: ObservedNetwork, output: [Float]) {
      self.network = network
      self.output = output
    }

    var structure: LinearStructure { network.structure }

    /// What is observed of a layer, rows of ``width(_:)`` numbers.
    func numbers(_ layer: Int) -> UnsafeBufferPointer<Float> {
      network.workspace.outputBytes(network.places[layer]).bindMemory(to: Float.self)
    }

    func width(_ layer: Int) -> Int {
      let graph = network.workspace.model.graph
      return graph[graph.outputs[network.places[layer]]].type.shape.dimensions.last ?? 1
    }
  }

  init(
    _ model: OpenedModel, _ weights: SafetensorsCollection, _ precision: Precision,
    observing: Observation = .nothing, threads: Int
  ) {
    self.model = model
    self.weights = weights
    observation = observing
    options.precision = precision
    options.threads = threads
    options.packedWeights = PackedWeightStore()
  }

  mutating func run(_ sample: PreparedSample) throws(ApusError) -> Run {
    let network = try network(sample)
    try network.workspace.setInputs(sample.inputs)
    try network.workspace.run()
    return Run(network, output: try network.workspace.output(0).elements(of: Float.self))
  }

  private mutating func network(_ sample: PreparedSample) throws(ApusError) -> ObservedNetwork {
    if let known = networks[sample.shape] { return known }
    var graph = try model.graph(for: sample)
    let structure = LinearStructure(graph, weights)
    let values: [Value] =
      switch observation {
      case .nothing: []
      case .inputsOfLayers: structure.layers.map(\.input)
      case .outputsOfLayers: structure.layers.map(\.output)
      }
    var places: [Int] = []
    for value in values {
      if !graph.outputs.contains(value) { graph.outputs.append(value) }
      places.append(graph.outputs.firstIndex(of: value) ?? 0)
    }
    let network = ObservedNetwork(
      workspace: try Compiler.compile(graph, options).makeWorkspace(), structure: structure, places: places)
    networks[sample.shape] = network
    return network
  }
}
