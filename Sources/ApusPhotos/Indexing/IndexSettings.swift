import Apus
import JSONCoding
import TensorCore

extension IndexOptions: JSONOptions {
  /// The defaults of `apus photos index`.
  public static var standard: IndexOptions { IndexOptions() }

  /// `excluded` (patterns), `width`, `shard` (such as `1/4`), `forget_after` (seconds, -1 for never), `take_other_disks`,
  /// `retry_left_out`, and the keys of `ImageLimits`.
  public static var settings: Settings<IndexOptions> {
    .setting(.excluded, \.excluded, .texts) + .setting(.width, \.width, .count())
      + .setting(.shard, \.shard, .shard) + .setting(.forgetsAfter, \.forgetsAfter, .secondsOrAlways)
      + .setting(.takesOtherDisks, \.takesOtherDisks, .flag)
      + .setting(.retriesLeftOut, \.retriesLeftOut, .flag) + ImageLimits.settings.inside(\.limits)
  }
}

extension PhotoModel.Options: JSONOptions {
  /// The defaults of `apus photos index`.
  public static var standard: Self { Self() }

  /// `precision` (`f32`, `bf16` or `int8`), `decoding`, `transparency`, `threads`.
  public static var settings: Settings<Self> {
    .setting(.precision, \.precision, .precision) + .setting(.decoding, \.decoding, .choice)
      + .setting(.transparency, \.transparency, .transparency)
      + .setting(.threads, \.threads, .count(upTo: Int(Int32.max)))
  }
}

extension SettingForm where Value == Shard {
  fileprivate static var shard: Self {
    Self(.text, expected: "two numbers such as 1/4, the first of 1 to the second") {
      $0.string.flatMap { try? Shard($0) }
    } write: {
      .string(ExactText("\($0.number)/\($0.count)"))
    }
  }
}
