import Apus
import ArgumentParser
import CommandSupport
import Evaluation
import Quantizer

/// The options of the search for a mixture of int8 and float layers.
struct QuantizeLossArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Keep as few layers in floats as needed to lose at most this many points of accuracy on --data. \
      Nothing is written if no mixture achieves that.
      """, valueName: "points"))
  var atMostLoss: Double?

  @Option(
    help: ArgumentHelp(
      "Labelled samples, in the form 'apus compare' takes; samples that are also in --calibrate are ignored.",
      valueName: "folder-or-file"))
  var data: String?

  @Option(
    help:
      "The names of the model's classes: a file with a line for each, or JSON. Default: those in the model.")
  var labels: String?

  @Option(
    help:
      "A file that names the data's classes: index, synset and name. Default: a classes.tsv beside pictures.")
  var classes: String?

  func validate() throws {
    if let atMostLoss, !(atMostLoss > 0 && atMostLoss < 100) {
      throw ValidationError("--at-most-loss \(atMostLoss): more than 0 points, less than 100.")
    }
    if atMostLoss != nil, data == nil {
      throw ValidationError("--at-most-loss needs --data, samples with labels.")
    }
    for (name, value) in [("data", data), ("labels", labels), ("classes", classes)]
    where value != nil && atMostLoss == nil {
      throw ValidationError("--\(name) is for --at-most-loss.")
    }
  }

  /// Nil where nothing is asked for.
  var bound: LossBound? {
    guard let atMostLoss, let data else { return nil }
    var bound = LossBound(margin: atMostLoss / 100, data: data)
    bound.labels = labels.map(GivenLabels.init)
    bound.classes = classes
    return bound
  }
}
