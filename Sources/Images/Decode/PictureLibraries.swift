import TensorCore

/// The libraries that pictures other than PNG, JPEG and BMP need.
package struct PictureLibraries: Sendable {
  package let webp: SystemLibrary
  package let heif: SystemLibrary
  package let avif: SystemLibrary
  package let gif: SystemLibrary
  package let tiff: SystemLibrary

  package init(
    webp: SystemLibrary, heif: SystemLibrary, avif: SystemLibrary, gif: SystemLibrary, tiff: SystemLibrary
  ) {
    self.webp = webp
    self.heif = heif
    self.avif = avif
    self.gif = gif
    self.tiff = tiff
  }

  /// Those of this machine.
  package static let installed = PictureLibraries(
    webp: SystemLibrary("libwebp", ["libwebp.so.7"], packages: ["libwebp7"], format: .webp),
    heif: SystemLibrary("libheif", ["libheif.so.1"], packages: ["libheif1"], format: .heic),
    avif: SystemLibrary(
      "libavif", ["libavif.so.16", "libavif.so.15"], packages: ["libavif16", "libavif15"], format: .avif),
    gif: SystemLibrary("libgif", ["libgif.so.7"], packages: ["libgif7"], format: .gif),
    tiff: SystemLibrary(
      "libtiff", ["libtiff.so.6", "libtiff.so.5"], packages: ["libtiff6", "libtiff5"], format: .tiff))

  package var all: [SystemLibrary] { [webp, heif, avif, gif, tiff] }
}

extension SystemLibrary {
  /// The library's handle.
  /// - Throws: ``ApusError`` that says what to install.
  func loaded() throws(ApusError) -> UnsafeMutableRawPointer {
    if let handle { return handle }
    throw ApusError(
      .image, "a \(format.rawValue) picture, and \(name) is not on this machine",
      expected: "\(sonames.joined(separator: " or ")) to read it with",
      advice: "To read it, \(installation); or convert the file to PNG or JPEG.")
  }

  /// The error for a library that lacks a function of its ABI.
  var unusable: ApusError {
    ApusError(
      .image, "a \(format.rawValue) picture, and the \(name) of this machine is not one that Apus knows",
      expected: sonames.joined(separator: " or "), advice: "To read it, \(installation).")
  }
}
