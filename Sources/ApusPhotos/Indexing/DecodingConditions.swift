import Images
import TensorCore

/// The conditions, besides a picture's bytes, for decoding it: a failed picture is tried again when they change.
struct DecodingConditions: Sendable, Hashable {
  /// The version of Apus, the limits, and the libraries of formats that are there.
  let text: String

  init(_ limits: ImageLimits) {
    let libraries = PictureLibraries.installed.all.filter(\.isPresent).map(\.name)
    let numbers = [limits.pixels, limits.scans, limits.chunkBytes].map(String.init)
    text = ([ApusVersion.current] + numbers + libraries).joined(separator: " ")
  }
}
