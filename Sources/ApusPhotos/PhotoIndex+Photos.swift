import Apus
import TensorCore

extension PhotoIndex {
  /// A photograph by its ``Photo/id``.
  /// - Returns: nil where the index has none of that number, or none of its files is there any more.
  /// - Throws: ``ApusError`` of kind `file` when the index cannot be read.
  public func photo(_ id: Int64) throws(ApusError) -> IndexedPhoto? {
    try store.read { try IndexedPhoto.find(id, in: $0) }
  }

  /// The bytes of a photograph's file, as they were when it was indexed.
  ///
  /// A file that has other content by now, or a link in its place that leads elsewhere, is not handed out: who may ask for
  /// photographs can read nothing but what was indexed.
  /// - Throws: ``ApusError`` of kind `file` where none of its files is as it was, or `cancelled`.
  public func content(of photo: IndexedPhoto) async throws(ApusError) -> [UInt8] {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      try Self.content(of: photo, isCancelled)
    }
  }

  /// A photograph made small.
  /// - Parameters:
  ///   - photo: of this index.
  ///   - side: pixels that neither side exceeds.
  ///   - maximumBytes: of the JPEG.
  /// - Throws: ``ApusError`` as for ``content(of:)``; of kind `image` where it cannot be decoded, or not be made so small.
  public func thumbnail(
    of photo: IndexedPhoto, side: Int = 320, maximumBytes: Int = 20_000
  ) async throws(ApusError) -> PhotoThumbnail {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      let bytes = try Self.content(of: photo, isCancelled)
      guard !isCancelled() else { throw ApusError(.cancelled, "the thumbnail was cancelled") }
      return try PhotoThumbnail(of: bytes, side: side, maximumBytes: maximumBytes)
    }
  }

  private static func content(
    of photo: IndexedPhoto, _ isCancelled: () -> Bool
  ) throws(ApusError) -> [UInt8] {
    for path in photo.paths {
      guard !isCancelled() else { throw ApusError(.cancelled, "the reading was cancelled") }
      guard let bytes = try? FileBytes.read(path, limit: photo.photo.byteCount) else { continue }
      let key = ContentKey(bytes)
      if key.digest == photo.digest, key.byteCount == photo.photo.byteCount { return bytes }
    }
    throw changed
  }

  /// Of a photograph none of whose files is as it was.
  static var changed: ApusError {
    ApusError(
      .file, "the photograph has changed or gone since it was indexed",
      advice: "\(Doing.indexPhotos) scans its folder again.")
  }
}
