import Images
import TensorCore

/// What decides, besides a picture's bytes, whether it can be decoded: one that failed is tried again when this is another.
struct DecodingConditions: Sendable, Hashable {
  /// The version of Apus, the limits, and the libraries of formats that are there.
  let text: String

  init(_ limits: ImageLimits) {
    let libraries = PictureLibraries.installed.all.filter(\.isPresent).map(\.name)
    let numbers = [limits.pixels, limits.scans, limits.chunkBytes].map(String.init)
    text = ([ApusVersion.current] + numbers + libraries).joined(separator: " ")
  }
}
