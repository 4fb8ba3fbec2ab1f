import Networks
import TensorCore

extension ModelCard {
  /// The command that runs a model.
  /// - Parameters:
  ///   - model: one that is run in the same way.
  ///   - name: the name of the model to be run.
  static func command(for model: OpenedModel, named name: String, _ target: QuantizationTarget) -> String {
    let precision = target == .int8 ? " --precision int8" : ""
    let takesPictures = (try? model.network(for: .image)) != nil
    return switch model.outputs {
    case .classifier where takesPictures: "apus classify photo.jpg --model \(name)\(precision)"
    case .classifier: "apus classify-text \"A text.\" --model \(name)\(precision)"
    case .dualEncoder:
      "apus zero-shot photo.jpg --model \(name) --labels \"a label, another\"\(precision)"
    case .encoder where takesPictures: "apus embed --image photo.jpg --model \(name)\(precision)"
    case .encoder: "apus embed --text \"A text.\" --model \(name)\(precision)"
    case .unstated: command(forFile: model, name)
    }
  }

  /// A file with a vocabulary takes texts; one that a picture can be prepared for, pictures; any, tensors.
  private static func command(forFile model: OpenedModel, _ name: String) -> String {
    if (try? model.network(for: .text)) != nil { return "apus classify-text \"A text.\" --model \(name)" }
    let inputs = (try? model.networks.first?.inputTypes()) ?? []
    if inputs.count == 1, (try? model.preparation.pictures(for: inputs[0])) != nil {
      return "apus classify photo.jpg --model \(name)"
    }
    let files = inputs.indices.map { "--input \($0)=\($0).npy" }
    return (["apus run \(name)"] + files + ["--output-dir out"]).joined(separator: " ")
  }
}
