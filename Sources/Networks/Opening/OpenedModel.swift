import Formats
import Graph
import Images
import Models
import TensorCore
import Text

/// A model that was opened: its networks, what they are for, and how their inputs are prepared.
///
/// In which form it is stored is known to its form alone.
package struct OpenedModel: Sendable {
  package let form: any ModelForm

  package init(_ form: any ModelForm) { self.form = form }

  /// - Parameter variant: as for ``init(_:variant:)``.
  package init(_ folder: ModelFolder, variant: String? = nil) throws(ApusError) {
    self.init(try ModelPlace.folder(folder).form(variant: variant))
  }

  /// Reads what a model says of itself; its weights are only mapped.
  /// - Parameters:
  ///   - name: a `.tflite` or `.onnx` file, a folder, or the name of a repository in the local Hugging Face cache.
  ///   - variant: which ONNX files of a folder are meant; nil for its other weights, or the plain files.
  /// - Throws: ``ApusError`` with the file's name: kind `file` when there is no model, `malformedModel`,
  ///   `unsupportedModel` or `configuration` when it cannot be used; `argument` for a variant that is not there.
  package init(_ name: String, variant: String? = nil) throws(ApusError) {
    self.init(try ModelPlace(name).form(variant: variant))
  }

  package var path: String { form.path }
  package var outerPath: String { form.outerPath }
  package var outputs: ModelOutputs { form.outputs }
  package var networks: [Network] { form.networks }
  package var preparation: Preparation { form.preparation }
  package var kind: String { form.kind }
  package var isClassifier: Bool { form.isClassifier }
  var takesPictures: Bool { form.takesPictures }

  /// The network of that name; nil means the main or only one.
  /// - Throws: ``ApusError`` of kind `argument` when there is no such one, or none is named of several.
  package func network(named name: String?) throws(ApusError) -> Network { try form.network(named: name) }

  /// The tokenizer that the model was trained with.
  package func tokenizer() throws(ApusError) -> Tokenizer { try form.tokenizer() }

  /// Options for compiling graphs of a network. Packed weights are shared with all other users of the network.
  package func options(_ inference: InferenceOptions, for network: Network) -> ModelOptions {
    var options = ModelOptions(inference)
    options.packedWeights = form.packedWeights(of: network, options.compile)
    return options
  }

  /// The names of the classes, the model's own before those beside it, nil when nobody says them; and why a file beside the
  /// model is passed over.
  /// - Parameter output: the position of the scores among the outputs of a file.
  /// - Throws: ``ApusError`` when what the model or a file beside it says of them is damaged.
  package func labels(
    ofOutput output: Int = 0, classCount: Int
  ) throws(ApusError) -> Noted<LabelFile?> {
    switch outputs {
    case .classifier, .unstated: break
    case .encoder, .dualEncoder: return Noted(nil)
    }
    let companions = preparation.companions
    guard let own = try form.labels(ofOutput: output) else {
      return try companions.labels(classCount: classCount)
    }
    let beside = try companions.labelDetails(of: own.labels)
    let details = beside.content.merging(own.details) { $1 }
    return Noted(LabelFile(labels: own.labels, details: details), beside.notes)
  }

  /// Whether the model's configuration names the classes.
  package var namesClasses: Bool {
    if case .classifier(.some, _) = outputs { true } else { false }
  }

  /// The score calibration in the model's own metadata; nil if there is none.
  /// - Throws: ``ApusError`` if the calibration is damaged, or for another number of classes.
  package func scoreCalibration(
    ofOutput output: Int = 0, classCount: Int
  ) throws(ApusError) -> ScoreCalibration? {
    guard let calibration = try form.scoreCalibration(ofOutput: output) else { return nil }
    guard calibration.classCount == classCount else {
      throw ApusError(
        .malformedModel, "a score calibration of \(calibration.classCount) classes",
        expected: "\(classCount), as the model has", file: path)
    }
    return calibration
  }
}
