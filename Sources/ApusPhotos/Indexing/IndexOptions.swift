import Apus

/// How photographs are indexed.
public struct IndexOptions: Sendable {
  /// Patterns of files and folders that are left out, besides those that always are.
  public var excluded: [String]
  /// Pictures worked on at a time; nil for as many as there are processors for them.
  public var width: Int?
  /// Limits for decoding a picture.
  public var limits: ImageLimits
  /// The part of the files that is indexed; nil for all.
  public var shard: Shard?
  /// A file that has been missing from a folder that is there for so long is forgotten; nil for never.
  public var forgetsAfter: Duration?
  /// Whether a folder is indexed where another disk is than before: what was on that one is missing then. Else nothing of
  /// the other disk is taken, and what is known of the folder is kept, however often it is indexed.
  public var takesOtherDisks: Bool
  /// Whether files are read once more that are left out because programs were ended while they read them.
  public var retriesLeftOut: Bool

  /// The defaults equal those in `apus photos index`.
  public init(
    excluded: [String] = [], width: Int? = nil, limits: ImageLimits = .standard,
    shard: Shard? = nil, forgetsAfter: Duration? = .seconds(30 * 86_400), takesOtherDisks: Bool = false,
    retriesLeftOut: Bool = false
  ) {
    self.excluded = excluded
    self.width = width
    self.limits = limits
    self.shard = shard
    self.forgetsAfter = forgetsAfter
    self.takesOtherDisks = takesOtherDisks
    self.retriesLeftOut = retriesLeftOut
  }
}
