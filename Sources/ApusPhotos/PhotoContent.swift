import Apus
import CLibrary
import Kernels
import TensorCore

/// The content of a photograph's file, which is opened once and read in pieces, of which each is what was indexed.
///
/// The whole is read when it is opened, and the digest of each piece kept: a file that is written to afterwards ends the
/// reading, and no byte of what was written is handed out.
public final class PhotoContent: Sendable {
  /// Bytes of a piece; the last may have fewer. A content digest is made from blocks of this size.
  public static let pieceBytes = 1 << 20

  /// An open file, closed with its last reference.
  private final class File: Sendable {
    let descriptor: CInt

    init?(_ path: String, byteCount: Int) {
      descriptor = path.inPlace { openat($0, $1, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
      guard descriptor >= 0 else { return nil }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        Int(status.st_size) == byteCount
      else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// - Returns: nil where the file has fewer bytes, or cannot be read.
    func read(_ range: Range<Int>) -> [UInt8]? {
      let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, done in
        while done < range.count {
          let target = buffer.baseAddress.map { $0 + done }
          let got = pread(descriptor, target, range.count - done, range.lowerBound + done)
          if got < 0, errno == EINTR { continue }
          guard got > 0 else { break }
          done += got
        }
      }
      return bytes.count == range.count ? bytes : nil
    }
  }

  /// Bytes of all pieces.
  public let byteCount: Int
  private let file: File
  private let digests: [ContentDigest]

  /// How many pieces there are.
  public var pieceCount: Int { digests.count }

  /// - Returns: nil where the file is not the one that was indexed, or cannot be read.
  /// - Throws: ``ApusError`` of kind `cancelled`.
  init?(_ path: String, of photo: IndexedPhoto, _ isCancelled: () -> Bool) throws(ApusError) {
    let byteCount = photo.photo.byteCount
    guard let file = File(path, byteCount: byteCount) else { return nil }
    var digests: [ContentDigest] = []
    for start in stride(from: 0, to: byteCount, by: Self.pieceBytes) {
      guard !isCancelled() else { throw ApusError(.cancelled, "the reading was cancelled") }
      guard let piece = file.read(start..<min(start + Self.pieceBytes, byteCount)) else { return nil }
      digests.append(Self.digest(of: piece))
    }
    guard Self.digest(ofPieces: digests) == photo.digest else { return nil }
    (self.byteCount, self.file, self.digests) = (byteCount, file, digests)
  }

  /// The bytes of a piece, by its number from 0. It waits for the disk.
  /// - Throws: ``ApusError`` of kind `file` where the file is not any more what was indexed.
  public func piece(_ number: Int) throws(ApusError) -> [UInt8] {
    let start = number &* Self.pieceBytes
    guard digests.indices.contains(number),
      let piece = file.read(start..<min(start + Self.pieceBytes, byteCount)),
      Self.digest(of: piece) == digests[number]
    else { throw ApusError(.file, "the photograph has changed since it was opened") }
    return piece
  }

  private static func digest(of piece: [UInt8]) -> ContentDigest {
    piece.withUnsafeBytes { ContentDigest($0) }
  }

  /// The digest of the whole: the digest of the only piece, or of all digests.
  private static func digest(ofPieces digests: [ContentDigest]) -> ContentDigest {
    if digests.count == 1 { return digests[0] }
    return digests.map(\.words).withUnsafeBytes { ContentDigest($0) }
  }
}

extension PhotoIndex {
  /// Opens a photograph's file to be read in pieces, so that it need not fit in memory.
  ///
  /// As with ``content(of:)``, nothing is handed out but what was indexed.
  /// - Throws: ``ApusError`` of kind `file` where none of its files is as it was, or `cancelled`.
  public func open(_ photo: IndexedPhoto) async throws(ApusError) -> PhotoContent {
    try await WorkerThreads.run { (isCancelled) throws(ApusError) in
      for path in photo.paths {
        if let content = try PhotoContent(path, of: photo, isCancelled) { return content }
      }
      throw Self.changed
    }
  }
}
