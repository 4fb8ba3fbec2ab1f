import Apus
import Images
import TensorCore

extension ModelQuantizer.Options: JSONOptions {
  /// int8 from the weights alone.
  public static var standard: Self { Self(.int8) }

  /// `target`, `activations`, `calibration` (a folder or file), `group_size`, `kept` (patterns), `methods`, `take_floats`,
  /// `preprocessing`, `replace`, `threads`. What a search found and who is told of progress are no settings.
  public static var settings: Settings<Self> {
    let weights: Settings<Self> =
      .setting(.target, \.target, .choice) + .setting(.activations, \.activations, .choice)
      + .setting(.calibration, \.calibration, .text) + .setting(.groupSize, \.groupSize, .count())
      + .setting(.kept, \.kept, .texts)
    let files: Settings<Self> =
      .setting(.methods, \.methods, .list(of: .choice)) + .setting(.takesFloats, \.takesFloats, .flag)
      + .setting(.preprocessing, \.preprocessing, .profile)
    return weights + files + .setting(.replaces, \.replaces, .flag)
      + .setting(.threads, \.threads, .count(upTo: Int(Int32.max)))
  }
}
