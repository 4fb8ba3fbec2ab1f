/// Something that two models' files say of how they are used, each otherwise.
public struct SettingDifference: Sendable, Hashable {
  /// The file that says it, or `tokenizer` for what all files of a tokenizer together make of the samples.
  public var file: String
  /// The path of the key, such as `vision_config.layer_norm_eps`.
  public var key: String
  /// What it is for the baseline, whether the file says it or its silence means it; nil for nothing.
  public var baseline: String?
  /// The same of the other model.
  public var other: String?

  package init(file: String, key: String, baseline: String?, other: String?) {
    self.file = file
    self.key = key
    self.baseline = baseline
    self.other = other
  }
}
