import Formats
import Graph
import Images
import Networks
import TensorCore

/// From pictures to one output of a network: decoding, preprocessing, a run.
struct ImagePipeline: Sendable {
  let preparation: PicturePreparation
  let model: Model
  let computation: Computation
  /// The position among the network's outputs of the one that is read, which is the first of ``model``.
  let output: Int
  private let limits: ImageLimits
  /// How picture files become RGB.
  let options: ImageOptions
  /// The places of further outputs: of logits and features.
  private let logits: Int?
  private let features: [Int]

  var preprocessor: Preprocessor { preparation.preprocessor }

  /// How pictures are prepared, as far as the caller says it.
  struct Request {
    var preprocessing: PreprocessingProfile?
    var metadata: String?
    var limits: ImageLimits
    var image: ImageOptions
    var output = Output.first
    var decoding = PictureDecoding.exact
    var reads = Reading.scores
    var features = FeatureSource.lastLayer
  }

  /// The output of the network to read.
  enum Output {
    case first
    /// The scores of classes, which may have their names in a file of labels.
    case classes(labels: String?)
  }

  /// The outputs read from a run.
  enum Reading {
    /// That output.
    case scores
    /// And logits and features, where the metadata have a temperature and a rejection for them.
    case calibrated(rejecting: Bool)
    /// And features, where the metadata have a rejection for them.
    case features(rejecting: Bool)
    /// And logits and features.
    case all

    var isAll: Bool {
      if case .all = self { true } else { false }
    }
  }

  /// The values used as features.
  enum FeatureSource {
    /// The input of the last layer with weights, by which a classifier tells its classes.
    case lastLayer
    /// The input of the last layer that takes several places, because a tower drops from its one vector what no text says.
    case lastPlaces
  }

  /// - Parameter network: of `opened`.
  /// - Throws: ``ApusError`` with the model's name when the network does not take one picture.
  init(
    _ network: Network, of opened: OpenedModel, _ request: Request, _ inference: InferenceOptions
  ) throws(ApusError) {
    var graph = try network.graph()
    guard graph.inputs.count == 1 else {
      throw ApusError(
        .unsupportedModel, "the model has \(graph.inputs.count) inputs", expected: "one picture",
        file: opened.path, advice: "\(Doing.runModel) runs any model.")
    }
    output =
      switch request.output {
      case .first: 0
      case .classes(let labels): try ScoreOutput.position(in: graph, of: opened, labels: labels)
      }
    graph.readFirst(output)
    preparation = try opened.preparation.pictures(
      for: graph[graph.inputs[0]].type, requested: request.preprocessing, metadata: request.metadata)
    (logits, features) = Self.addOutputs(to: &graph, request, preparation.metadata)
    model = try Model(path: opened.path, graph: graph, options: opened.options(inference, for: network))
    computation = Computation(model.compiled, part: network.name)
    limits = request.limits
    options = try request.decoding.options(request.image, for: preparation.preprocessor)
  }

  /// Has runs keep what is read of them besides that output.
  /// - Returns: the places of logits and features; nil of what is not read, or not there.
  private static func addOutputs(
    to graph: inout Graph, _ request: Request, _ metadata: ClassifierMetadata?
  ) -> (logits: Int?, features: [Int]) {
    let (readsLogits, readsFeatures) =
      switch request.reads {
      case .scores: (false, false)
      case .calibrated(let rejecting):
        (metadata?.temperature != nil, rejecting && metadata?.rejection != nil)
      case .features(let rejecting): (false, rejecting && metadata?.rejection != nil)
      case .all: (true, true)
      }
    guard readsLogits || readsFeatures else { return (nil, []) }
    let head = ClassifierHead(of: graph)
    func add(_ value: Value) -> Int {
      graph.outputs.append(value)
      return graph.outputs.count - 1
    }
    let features: [Value] =
      if metadata?.rejection?.features == .scales, !request.reads.isAll {
        graph.scales
      } else {
        [request.features == .lastPlaces ? graph.lastPlaces : head.features].compactMap(\.self)
      }
    return ((readsLogits ? head.logits : nil).map(add), readsFeatures ? features.map(add) : [])
  }

  /// Features of a picture; nil where they are not read.
  var featureCount: Int? { features.isEmpty ? nil : features.reduce(0) { $0 + width(of: $1) } }

  private func width(of output: Int) -> Int { model.outputs[output].type.shape.dimensions.last ?? 1 }

  /// The network as the file or folder has it, before any pass, with the output that is read before the others.
  func graph() throws(ApusError) -> Graph {
    let opened = try OpenedModel(model.path, variant: model.options.inference.variant)
    guard let network = try opened.network(for: .image) else {
      throw ApusError(.unsupportedModel, "the model is \(opened.kind) now", file: model.path)
    }
    var graph = try network.graph()
    graph.readFirst(output)
    return graph
  }

  /// The network's outputs for a picture, the milliseconds of decoding it, and faults of its file.
  /// - Throws: ``ApusError``: kind `file` or `image` for the picture, which it names, `cancelled`.
  func outputs(
    for picture: Picture, isCancelled: () -> Bool
  ) throws(ApusError) -> (decode: Double, damage: String?, outputs: ClassOutputs) {
    guard !isCancelled() else { throw ApusError(.cancelled, "the work was cancelled") }
    var watch = Stopwatch()
    let (image, damage) = try picture.decoded(limits: limits, options: options)
    let decode = watch.lap()
    do throws(ApusError) {
      return (decode, damage, try outputs(for: image, isCancelled: isCancelled))
    } catch {
      throw error.kind == .cancelled ? error : error.inFile(picture.path ?? "picture")
    }
  }

  /// The network's outputs for a decoded picture.
  /// - Parameter other: what prepares the picture in place of the model's own preprocessor; it must write an input
  ///   of the same type.
  func outputs(
    for image: RGBImage, preparedBy other: Preprocessor? = nil, isCancelled: () -> Bool
  ) throws(ApusError) -> ClassOutputs {
    try model.withWorkspace { (workspace) throws(ApusError) in
      var watch = Stopwatch()
      try (other ?? preprocessor).write(image, into: workspace.inputBytes(0))
      let preparation = watch.lap()
      try model.run(workspace, isCancelled: isCancelled)
      let run = watch.lap()
      func numbers(_ output: Int) throws(ApusError) -> [Float] {
        try naming(model.path) { () throws(ApusError) in
          try ClassScores.numbers(workspace.outputBytes(output), model.outputs[output].type)
        }
      }
      return ClassOutputs(
        values: try numbers(0), logits: try logits.map(numbers),
        features: try features.map { (output) throws(ApusError) in
          FeatureVector.mean(of: try numbers(output), width: width(of: output))
        }.flatMap(\.self), preparation: preparation, run: run, workspaceByteCount: model.workspaceByteCount)
    }
  }
}
