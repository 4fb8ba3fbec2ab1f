import Images
import TensorCore
import Testing

/// The libraries are loaded once, and decode on many threads at a time what they decode on one.
@Suite struct ConcurrentDecodingTests {
  private static let names = [
    "grid.heic", "420.avif", "animated_part.webp", "interlaced.gif", "jpeg.tif", "runs8.bmp",
  ]

  /// The picture, or why it is refused where a library is missing.
  private static func outcome(_ bytes: [UInt8], _ libraries: PictureLibraries) -> Result<
    DecodedImage, ApusError
  > {
    Result { () throws(ApusError) in try ImageDecoder.decode(bytes, libraries: libraries) }
  }

  @Test func manyThreadsDecodeAlike() async throws {
    let files = try Self.names.map(FormatFixtures.bytes)
    let alone = files.map { Self.outcome($0, .installed) }
    // Libraries that nobody has opened yet, so that all threads ask at once.
    let installed = PictureLibraries.installed
    func fresh(_ library: SystemLibrary) -> SystemLibrary {
      SystemLibrary(library.name, library.sonames, packages: library.packages, format: library.format)
    }
    let libraries = PictureLibraries(
      webp: fresh(installed.webp), heif: fresh(installed.heif), avif: fresh(installed.avif),
      gif: fresh(installed.gif), tiff: fresh(installed.tiff))
    await withTaskGroup(of: Bool.self) { group in
      for round in 0..<48 {
        let index = round % files.count
        group.addTask { Self.outcome(files[index], libraries) == alone[index] }
      }
      for await isAlike in group { #expect(isAlike) }
    }
  }
}
