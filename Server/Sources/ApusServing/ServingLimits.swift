import Apus
import ApusService

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
  /// Limits for decoding a picture.
  public var images = ImageLimits(pixels: 64_000_000, fileBytes: 32 << 20)
  /// The pictures that are decoded and run at a time, by models and searches that have these limits.
  public var pictures = PictureBudget(pixels: 512_000_000)
  /// The bytes that all models together may take; nil for 60 % of what can be had.
  public var modelBytes: Int?

  /// The bytes that decoding takes for each pixel of a picture, and its file: as measured of a progressive JPEG, which takes
  /// the most.
  static let bytesOfPixel = 6

  /// The defaults for a machine that has memory enough.
  public init() {}

  /// The bytes that this process can have now, by the machine and its control groups.
  public static var memory: Int { (try? MemoryStatus.current().available) ?? .max }

  /// The defaults where so many bytes can be had: pictures that are in work take no more than a third of them, tensors that
  /// wait no more than an eighth.
  public init(memory: Int) {
    let pixels = max(1, memory / 3 / Self.bytesOfPixel)
    images.pixels = min(images.pixels, pixels)
    pictures = PictureBudget(pixels: min(pictures.pixels, pixels))
    waitingTensorBytes = min(waitingTensorBytes, max(1, memory / 8))
  }
}
