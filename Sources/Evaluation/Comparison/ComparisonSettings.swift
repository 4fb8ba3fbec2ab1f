import Apus
import Images
import JSONCoding
import TensorCore

extension Comparison.Options: JSONOptions {
  /// The defaults of `apus compare`, without models.
  public static var standard: Self { Self(models: [], data: "") }

  /// `models`, `data`, `classes` (files), `labels` (a list, or the path of a file), `templates`, `preprocessing`,
  /// `normalization`, `transparency`, `limit`, `seed`, `threads`, `groups` (a file, or `copies`), `margin` (a share),
  /// `resamples`, `look_for_culprits`, `layer_samples`, `find_divergence`.
  public static var settings: Settings<Self> {
    let models: Settings<Self> =
      .setting(.models, \.models, .texts) + .setting(.data, \.data, .text)
      + .setting(.classes, \.classes, .text) + .setting(.labels, \.labels, .labels)
      + .setting(.templates, \.templates, .templates)
    let pictures: Settings<Self> =
      .setting(.preprocessing, \.profile, .profile) + .setting(.normalization, \.normalization, .rule)
      + .setting(.transparency, \.transparency, .transparency)
    let samples: Settings<Self> =
      .setting(.limit, \.limit, .count()) + .setting(.seed, \.seed, .seed)
      + .setting(.threads, \.threads, .count(upTo: Int(Int32.max))) + .setting(.groups, \.groups, .groups)
      + .setting(.margin, \.margin, .fraction) + .setting(.resamples, \.resamples, .count())
    let causes: Settings<Self> =
      .setting(.looksForCulprits, \.looksForCulprits, .flag)
      + .setting(.layerSamples, \.layerSamples, .count())
      + .setting(.findsDivergence, \.findsDivergence, .flag)
    return models + pictures + samples + causes
  }
}

extension SettingForm where Value == Normalization {
  fileprivate static var rule: Self {
    .choice(NormalizationRule.allCases.map { ($0.rawValue, $0.normalization) })
  }
}

extension SettingForm where Value == Comparison.Options.Groups {
  private static var copies: String { "copies" }

  /// A file of that name is written as `./copies`.
  fileprivate static var groups: Self {
    Self(.text, expected: "the path of a file, or copies") {
      $0.string.map { ExactText($0) == ExactText(copies) ? .copies : .file($0) }
    } write: {
      switch $0 {
      case .copies: .string(ExactText(copies))
      case .file(let path): .string(ExactText(ExactText(path) == ExactText(copies) ? "./" + path : path))
      }
    }
  }
}
