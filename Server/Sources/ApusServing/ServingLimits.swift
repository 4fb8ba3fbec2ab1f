import Apus

/// What a server takes on.
public struct ServingLimits: Sendable {
  /// The tokens of texts that wait, of each model.
  public var waitingTokens = 65_536
  /// The pixels of pictures that wait, of each model.
  public var waitingPixels = 512_000_000
  /// The bytes of tensors that wait, of each model.
  public var waitingTensorBytes = 256 << 20
  /// The tokens of texts that are run together: enough for the processor to be used well, and few enough that others need
  /// not wait long.
  public var batchTokens = 256
  /// The texts or pictures of one request.
  public var itemsPerRequest = 1024
  /// How long a request may wait and run.
  public var requestTime = Duration.seconds(30)
  /// What decoding a picture may cost.
  public var images = ImageLimits(pixels: 64_000_000, fileBytes: 32 << 20)
  /// The bytes that all models together may take; nil for 60 % of what can be had.
  public var modelBytes: Int?

  /// The defaults.
  public init() {}
}
