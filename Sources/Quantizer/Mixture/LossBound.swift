import Apus
import Evaluation
import Statistics
import TensorCore

/// How much accuracy a model may lose, and the labelled samples that show what it loses.
public struct LossBound: Sendable {
  /// The greatest loss that is accepted, as a share: 0.01 is a point.
  public var margin: Double
  /// A folder with a folder for each class, or a list of samples with their labels, as ``Comparison`` takes it.
  public var data: String
  /// A file that names the data's classes by index or synset.
  public var classes: String?
  /// Names of the model's classes in place of its own.
  public var labels: GivenLabels?

  /// - Parameters:
  ///   - margin: the greatest loss that is accepted, as a share.
  ///   - data: a folder, or a list of samples, with labels.
  public init(margin: Double, data: String) {
    self.margin = margin
    self.data = data
  }
}
