import Images

/// Libraries that are not on any machine, and one that is not what it is called.
enum MissingLibraries {
  static let all = libraries { name in ["\(name)-that-is-nowhere.so.0"] }
  /// The C library in their place: it is there, and has none of the functions.
  static let impostors = libraries { _ in ["libc.so.6"] }

  private static func libraries(_ sonames: (String) -> [String]) -> PictureLibraries {
    func library(_ like: SystemLibrary) -> SystemLibrary {
      SystemLibrary(like.name, sonames(like.name), packages: like.packages, format: like.format)
    }
    let installed = PictureLibraries.installed
    return PictureLibraries(
      webp: library(installed.webp), heif: library(installed.heif), avif: library(installed.avif),
      gif: library(installed.gif), tiff: library(installed.tiff))
  }
}
