/// The time that each part of loading a model took, in milliseconds.
public struct LoadMilliseconds: Sendable, Hashable {
  /// Finding the folder, reading its configuration, mapping its weights.
  public var open = 0.0
  /// Reading the tokenizer's vocabulary.
  public var tokenizer = 0.0
  /// Building the graph and packing its weights, or finding them packed already.
  public var compile = 0.0

  init(open: Double = 0, tokenizer: Double = 0, compile: Double = 0) {
    self.open = open
    self.tokenizer = tokenizer
    self.compile = compile
  }

  /// All parts together.
  public var total: Double { open + tokenizer + compile }
}
