/// A setting by one name, which each ``Door`` spells in its own way: an option of a Swift program (`textModel`), a flag
/// (`--text-model`), a key of a server's file of models (`text_model`). In a message it is spelled for the door that the
/// process is.
package enum Setting: String, Sendable, CaseIterable {
  case byteLimit, calibration, classes, groups, groupSize, index, kept, labels, layerSamples
  case logitBias, logitScale, model, network, normalization, pixelLimit, precision, preprocessing
  case queryTextModel, replaces, retriesLeftOut, takesOtherDisks, target, templates, textModel, transparency,
    variant

  /// The flag of a command.
  var flag: String {
    switch self {
    case .byteLimit: "--max-memory"
    case .calibration: "--calibrate"
    case .kept: "--keep"
    case .layerSamples: "--layers"
    case .network: "--part"
    case .normalization: "--normalize"
    case .preprocessing: "--preprocess"
    case .queryTextModel: "--text-model"
    case .replaces: "--force"
    case .retriesLeftOut: "--retry"
    case .takesOtherDisks: "--other-disk"
    case .target: "--to"
    case .templates: "--template"
    default: "--" + words.joined(separator: "-")
    }
  }

  /// The key in a server's file of models, for a setting that can stand there.
  var key: String? {
    switch self {
    case .model: "path"
    case .labels, .logitBias, .logitScale, .precision, .textModel, .variant: words.joined(separator: "_")
    default: nil
    }
  }

  /// The option's name in Swift.
  var option: String {
    switch self {
    case .index: "at"
    case .pixelLimit: "ImageLimits.pixels"
    case .queryTextModel: "textModel"
    default: rawValue
    }
  }
}

extension Setting: CustomStringConvertible {
  /// As the people at the process's door say it: `--text-model`, `the option textModel`.
  package var description: String { spelled(for: .current) }

  /// - Parameter value: what it is to be set to: `--preprocess clip`, `the option preprocessing (clip)`.
  package func given(_ value: String) -> String { spelled(for: .current, value) }

  package func spelled(for door: Door, _ value: String? = nil) -> String {
    switch door {
    case .library where self == .model: "the model"
    case .library: "the option \(option)" + (value.map { " (\($0))" } ?? "")
    case .command: flag + (value.map { " \($0)" } ?? "")
    case .server where self == .queryTextModel: "--photos-text-model"
    case .server where self == .pixelLimit: "--max-pixels"
    case .server: spelled(for: .command, value) + (key.map { ", '\($0)' in the file of --models" } ?? "")
    }
  }

  /// `textModel` as `["text", "model"]`.
  private var words: [String] {
    rawValue.reduce(into: [""]) { words, letter in
      if letter.isUppercase { words.append("") }
      words[words.count - 1] += letter.lowercased()
    }
  }
}
