import Apus
import Formats
import Graph
import Models
import TensorCore

/// Runs samples through the networks of a model folder, one for each shape of input.
struct SampleRuns {
  /// What is looked at beside the model's output.
  enum Observation { case nothing, inputsOfLayers, outputsOfLayers }

  private let graphs: FolderGraphs
  private let observation: Observation
  private var options = CompileOptions()
  private var networks: [[Int]: Network] = [:]

  fileprivate struct Network {
    let workspace: Workspace
    let structure: LinearStructure
    /// Where among the outputs what is observed of each layer is.
    let places: [Int]
  }

  /// What a sample gave. To be read before the next one runs.
  struct Run {
    private let network: Network
    let output: [Float]

    fileprivate init(_ network: Network, output: [Float]) {
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

  init(_ graphs: FolderGraphs, _ precision: Precision, observing: Observation = .nothing, threads: Int) {
    self.graphs = graphs
    observation = observing
    options.precision = precision
    options.threads = threads
    options.packedWeights = PackedWeightStore()
  }

  mutating func run(_ sample: FolderSamples.Sample) throws(ApusError) -> Run {
    let network = try network(sample)
    try network.workspace.setInputs(sample.inputs)
    try network.workspace.run()
    return Run(network, output: try network.workspace.output(0).elements(of: Float.self))
  }

  private mutating func network(_ sample: FolderSamples.Sample) throws(ApusError) -> Network {
    let shape = graphs.shape(of: sample)
    if let known = networks[shape] { return known }
    var graph = try graphs.graph(for: sample)
    let structure = LinearStructure(graph, try graphs.folder.weights())
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
    let network = Network(
      workspace: try Compiler.compile(graph, options).makeWorkspace(), structure: structure, places: places)
    networks[shape] = network
    return network
  }
}
