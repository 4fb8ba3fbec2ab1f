import Apus
import Images
import Networks

/// What a model is calibrated with, and what is asked of it then.
package struct CalibrationOptions: Sendable {
  /// Pictures that the model was not trained with: a folder for each class, or a list with labels.
  package var data: String
  /// A folder of pictures that show nothing of what the model knows.
  package var foreign: String?
  /// A file with a label for each class.
  package var labels: String?
  /// The `meta.json` to write; nil for that beside the model.
  package var metadata: String?
  package var preprocessing: PreprocessingProfile?
  /// How transparent pixels are shown to the model.
  package var transparency = ImageOptions.Transparency.ignored
  package var demands = CertaintyDemands()
  package var inference = InferenceOptions()

  package init(data: String) { self.data = data }
}
