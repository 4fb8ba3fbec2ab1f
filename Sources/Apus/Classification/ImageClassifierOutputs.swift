import Graph
import Images
import TensorCore

extension ImageClassifier {
  /// How pictures become the model's input.
  package var preprocessor: Preprocessor { model.preprocessor }

  /// The compiled model.
  package var network: Model { model.model }

  /// The network for one picture as the file or folder has it, before any pass.
  package func graph() throws(ApusError) -> Graph {
    switch ModelSource(path) {
    case .folder: try LoadedFolder.imageGraph(path)
    case .tflite, .safetensors: try ModelFile(path).graph(network.options.entry)
    }
  }

  /// What the model gives for a decoded picture.
  /// - Parameter other: what prepares the picture in place of the classifier's own; it must write an input of the
  ///   same type.
  /// - Throws: ``ApusError``: kind `image` or `configuration` for the picture, `unsupportedModel` for an output
  ///   that is not of numbers, `cancelled`.
  package func outputs(
    for image: RGBImage, preparedBy other: Preprocessor? = nil,
    isCancelled: () -> Bool = { Task.isCancelled }
  ) throws(ApusError) -> ClassOutputs {
    try model.model.withWorkspace { (workspace) throws(ApusError) in
      var watch = Stopwatch()
      try (other ?? model.preprocessor).write(image, into: workspace.inputBytes(0))
      let preparation = watch.lap()
      try workspace.run(isCancelled: isCancelled)
      let run = watch.lap()
      let values = try naming(path) { () throws(ApusError) in
        try ClassScores.numbers(workspace.outputBytes(0), model.model.outputs[0].type)
      }
      return ClassOutputs(
        values: values, preparation: preparation, run: run, workspaceByteCount: model.model.workspaceByteCount
      )
    }
  }

  /// The score of each class.
  /// - Throws: ``ApusError`` of kind `malformedModel` when an output is NaN or infinite.
  package func scores(of outputs: [Float]) throws(ApusError) -> [Float] {
    try ranked(outputs).values
  }

  /// What the outputs are taken for.
  package func meaning(of outputs: [Float]) -> ScoreMeaning { model.meaning ?? ScoreMeaning(of: outputs) }
}
