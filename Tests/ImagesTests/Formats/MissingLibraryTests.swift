import Images
import TensorCore
import Testing

/// Without a library, a file that needs it is refused with the name of the package, and all others are read.
@Suite struct MissingLibraryTests {
  private func failure(_ name: String, _ libraries: PictureLibraries) throws -> ApusError? {
    let bytes = try FormatFixtures.bytes(name)
    do throws(ApusError) {
      _ = try ImageDecoder.decode(bytes, libraries: libraries)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("lossless.webp", "WebP", "libwebp7"), ("444.heic", "HEIC", "libheif1"),
    ("444.avif", "AVIF", "libavif16 or libavif15"), ("interlaced.gif", "GIF", "libgif7"),
    ("rgb8.tif", "TIFF", "libtiff6 or libtiff5"),
  ])
  func thePackageIsNamed(_ name: String, _ format: String, _ package: String) throws {
    let missing = try #require(try failure(name, MissingLibraries.all))
    #expect(missing.kind == .image)
    #expect(missing.problem.hasPrefix("a \(format) picture, and lib"))
    #expect(missing.problem.hasSuffix("is not on this machine"))
    #expect(missing.advice?.contains("install the package \(package) of Debian") == true)
    let impostor = try #require(try failure(name, MissingLibraries.impostors))
    #expect(impostor.problem.hasSuffix("is not one that Apus knows"))
  }

  @Test func whatCannotBeDecodedHereIsNotSupported() {
    let own: Set<ImageFormat> = [.png, .jpeg, .bmp]
    for format in ImageFormat.allCases {
      #expect(format.isSupported(with: MissingLibraries.all) == own.contains(format), "\(format)")
      let library = PictureLibraries.installed.all.first { $0.format == format }
      if let library, !library.isPresent { #expect(!format.isSupported) }
    }
    // The C library has no decoder of HEVC.
    #expect(!ImageFormat.heic.isSupported(with: MissingLibraries.impostors))
  }

  @Test func otherFormatsNeedNone() throws {
    #expect(try failure("rgb24.bmp", MissingLibraries.all) == nil)
    let png = try PictureFixtures.bytes("rgb8.png"), jpeg = try PictureFixtures.bytes("rgb.jpg")
    #expect(try ImageDecoder.decode(png, libraries: MissingLibraries.all).source.format == .png)
    #expect(try ImageDecoder.decode(jpeg, libraries: MissingLibraries.all).source.format == .jpeg)
    #expect(!MissingLibraries.all.webp.isPresent)
  }
}
