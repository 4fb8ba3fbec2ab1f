/// A setting by one name, which each ``Door`` spells in its own way: an option of a Swift program (`textModel`), a flag
/// (`--text-model`), a key in JSON (`text_model`). In a message it is spelled for the door that the process is.
package enum Setting: String, Sendable, CaseIterable {
  case acceptsDamage, activations, appliesOrientation, byteLimit, calibration, calm, chunkLimit, classes
  case criticalShare, data, decoding, excluded, fallbacks, fileLimit, findsDivergence, forgetsAfter, grey16
  case groups, groupSize, index, interval, kept, labels, layerSamples, length, limit, logitBias, logitScale
  case looksForCulprits, margin, masksPadding, metadata, methods, minimumShortSide, minimumShortSideAtEighth
  case model, models, network, normalization, patience, pixelLimit, precision, preprocessing, pressureMargin
  case queryTextModel, recovery, rejectsForeign, replaces, resamples, retriesLeftOut, scanLimit, scores
  case scoring, seed, shapes, shard, takesFloats, takesOtherDisks, target, templates, textModel, threads
  case threshold, timeToLive, transparency, variant, warningShare, watchesPressure, width

  /// The flag of a command; nil where none has one.
  package var flag: String? {
    switch self {
    case .appliesOrientation, .calm, .chunkLimit, .criticalShare, .decoding, .fallbacks, .fileLimit,
      .forgetsAfter, .grey16, .interval, .minimumShortSide, .minimumShortSideAtEighth, .models, .patience,
      .pressureMargin, .recovery, .resamples, .scanLimit, .scores, .shapes, .warningShare, .watchesPressure:
      nil
    case .acceptsDamage: "--strict"
    case .byteLimit: "--max-memory"
    case .calibration: "--calibrate"
    case .excluded: "--exclude"
    case .findsDivergence: "--first-divergence"
    case .kept: "--keep"
    case .layerSamples: "--layers"
    case .looksForCulprits: "--culprits"
    case .masksPadding: "--mask-padding"
    case .metadata: "--meta"
    case .methods: "--ranges"
    case .network: "--part"
    case .normalization: "--normalize"
    case .preprocessing: "--preprocess"
    case .queryTextModel: "--text-model"
    case .rejectsForeign: "--accept-foreign"
    case .replaces: "--force"
    case .retriesLeftOut: "--retry"
    case .scoring: "--score"
    case .takesFloats: "--io"
    case .takesOtherDisks: "--other-disk"
    case .target: "--to"
    case .templates: "--template"
    case .timeToLive: "--keep-alive"
    case .width: "--threads"
    default: "--" + words.joined(separator: "-")
    }
  }

  /// The key in JSON: of options, of requests and of a server's file of models.
  package var key: String {
    switch self {
    case .acceptsDamage: "accept_damage"
    case .appliesOrientation: "apply_orientation"
    case .findsDivergence: "find_divergence"
    case .forgetsAfter: "forget_after"
    case .looksForCulprits: "look_for_culprits"
    case .masksPadding: "mask_padding"
    case .model: "path"
    case .rejectsForeign: "reject_foreign"
    case .replaces: "replace"
    case .retriesLeftOut: "retry_left_out"
    case .scoring: "score"
    case .takesFloats: "take_floats"
    case .takesOtherDisks: "take_other_disks"
    case .timeToLive: "keep_alive"
    case .watchesPressure: "watch_pressure"
    default: words.joined(separator: "_")
    }
  }

  /// Whether a server's file of models has the key.
  var isOfServedModels: Bool {
    switch self {
    case .labels, .logitBias, .logitScale, .masksPadding, .model, .precision, .scoring, .templates,
      .textModel,
      .threads, .threshold, .timeToLive, .transparency, .variant:
      true
    default: false
    }
  }

  /// The option's name in Swift.
  var option: String {
    switch self {
    case .acceptsDamage, .appliesOrientation, .grey16, .minimumShortSide, .minimumShortSideAtEighth,
      .transparency:
      "ImageOptions.\(rawValue)"
    case .chunkLimit: "ImageLimits.chunkBytes"
    case .fileLimit: "ImageLimits.fileBytes"
    case .calm, .criticalShare, .interval, .warningShare: "MemoryPressure.Options.\(rawValue)"
    case .index: "at"
    case .pixelLimit: "ImageLimits.pixels"
    case .pressureMargin: "MemoryPressure.Options.margin"
    case .queryTextModel: "textModel"
    case .scanLimit: "ImageLimits.scans"
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
    case .command: (flag ?? "'\(key)'") + (value.map { " \($0)" } ?? "")
    case .binding: "'\(key)'" + (value.map { " (\($0))" } ?? "")
    case .server where self == .queryTextModel: "--photos-text-model"
    case .server where self == .pixelLimit: "--max-pixels"
    case .server:
      spelled(for: .command, value) + (isOfServedModels ? ", '\(key)' in the file of --models" : "")
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
