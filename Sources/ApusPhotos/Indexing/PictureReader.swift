import Apus
import CLibrary
import Images
import Kernels
import TensorCore

/// Makes of a file what the index keeps of it: reads it once, and does no work that was done before.
final class PictureReader: Sendable {
  /// The outcome of a file.
  enum Reading: Sendable {
    /// Its content is in the index, with its vector or its error.
    case known(Int64)
    /// Its content equals a file's that is being read now.
    case copy(ContentKey)
    /// Its content, and its vector where it has one.
    case fresh(StoredContent, StoredVector?)
    /// Its bytes cannot be had, or there is no memory for them or for what they hold.
    case unreadable(ApusError)
    /// It was not read.
    case leftOut(ApusError)
    /// Nothing is there any more.
    case gone(ApusError)
  }

  /// The outcome of a path, and its file.
  struct Outcome: Sendable {
    let reading: Reading
    /// The file as it was before its first byte was read, which may be another than a walk found at the path; nil where
    /// none could be read.
    let version: FileVersion?
  }

  private let model: PhotoModel
  private let modelID: Int64
  private let store: PhotoStore
  private let limits: ImageLimits
  private let conditions: DecodingConditions
  private let memory: ReadingMemory
  private let begun = Lock<Set<ContentKey>>([])

  /// - Parameter modelID: of `model` in the index.
  init(
    _ model: PhotoModel, id modelID: Int64, _ store: PhotoStore, _ limits: ImageLimits,
    _ conditions: DecodingConditions, _ memory: ReadingMemory
  ) {
    (self.model, self.modelID, self.store) = (model, modelID, store)
    (self.limits, self.conditions, self.memory) = (limits, conditions, memory)
  }

  /// Reads a file without blocking a thread of Swift's cooperative pool.
  /// - Returns: an ``ApusError`` of kind `cancelled`, or when the index cannot be read.
  func reading(_ path: String) async -> Result<Outcome, ApusError> {
    do throws(ApusError) {
      return .success(
        try await WorkerThreads.run { (isCancelled) throws(ApusError) in try self.read(path, isCancelled) })
    } catch {
      return .failure(error)
    }
  }

  private func read(_ path: String, _ isCancelled: () -> Bool) throws(ApusError) -> Outcome {
    guard !isCancelled() else { throw ApusError(.cancelled, "the work was cancelled") }
    let file: (bytes: [UInt8], version: FileVersion)
    var hold = memory.hold()
    do throws(ApusError) {
      let size = FileSystem.version(of: path)?.byteCount ?? 0
      if size <= limits.fileBytes { try hold.need(size, for: "the file") }
      file = try FileBytes.versioned(path, limit: limits.fileBytes)
    } catch {
      return Outcome(reading: Self.isGone(path) ? .gone(error) : .unreadable(error), version: nil)
    }
    return Outcome(reading: try reading(of: file.bytes, path, &hold), version: file.version)
  }

  private static func isGone(_ path: String) -> Bool {
    path.inPlace { faccessat($0, $1, F_OK, 0) } != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  private func reading(
    of bytes: [UInt8], _ path: String, _ hold: inout ReadingMemory.Hold
  ) throws(ApusError) -> Reading {
    let key = ContentKey(bytes)
    if let id = try store.read({
      try StoredContent.finished(key, by: self.modelID, under: self.conditions, in: $0)
    }) {
      return .known(id)
    }
    guard begun.withLock({ $0.insert(key).inserted }) else { return .copy(key) }
    return try fresh(bytes, key, path, &hold)
  }

  /// The picture whose hash is kept: one content has one, whatever its models make of transparent pixels.
  private func unblended(_ decoded: DecodedImage, _ bytes: [UInt8]) throws(ApusError) -> RGBImage {
    var options = model.pictures.imageOptions
    guard options.transparency != .ignored, decoded.source.hasAlpha else { return decoded.image }
    options.transparency = .ignored
    return try ImageDecoder.decode(bytes, limits: limits, options: options).image
  }

  /// Asks for the memory that a picture takes, whose pixels are not decoded yet.
  private func askMemory(for bytes: [UInt8], besides taken: Int, _ hold: inout ReadingMemory.Hold)
    throws(ApusError)
  {
    let cost = try DecodingMemory(bytes, options: model.pictures.imageOptions)
    guard cost.width <= limits.pixels / max(1, cost.height) else { return }
    try hold.need(
      cost.byteCount, besides: taken,
      for: "a \(cost.format.rawValue) of \(cost.width)×\(cost.height) pixels")
  }

  private func fresh(
    _ bytes: [UInt8], _ key: ContentKey, _ path: String, _ hold: inout ReadingMemory.Hold
  ) throws(ApusError) -> Reading {
    var facts = PictureFacts()
    do throws(ApusError) {
      let raw = try RawPicture(in: bytes)
      let encoded = raw?.jpeg ?? bytes
      if let raw { facts = PictureFacts(raw) } else { facts = PictureFacts(try PictureMetadata(of: bytes)) }
      facts.complete(besides: path)
      try askMemory(for: encoded, besides: bytes.count, &hold)
      let decoded = try ImageDecoder.decode(encoded, limits: limits, options: model.pictures.imageOptions)
      // A raw photograph is no copy of what was developed from it.
      if raw == nil { facts.hash = PerceptualHash(of: try unblended(decoded, bytes)).bits }
      let image = raw?.upright(decoded.image) ?? decoded.image
      let embedding = try model.pictures.blocking.embed(.pixels(image))
      return .fresh(
        StoredContent(key: key, facts: facts, conditions: conditions), StoredVector(embedding.values))
    } catch {
      switch error.kind {
      case .image:
        return .fresh(
          StoredContent(
            key: key, facts: facts, error: String(error.summary.dropLast()), conditions: conditions), nil)
      case .resources:
        // There may be memory for it another time.
        begun.withLock { _ = $0.remove(key) }
        return .unreadable(error)
      default: throw error.inFile(path)
      }
    }
  }
}
