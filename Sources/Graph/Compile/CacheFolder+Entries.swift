import Kernels
import TensorCore

extension CacheFolder {
  /// A file of packed weights.
  package struct Entry: Sendable {
    package let path: String
    package let byteCount: Int
    /// When it was written, in seconds since 1970.
    package let time: Double
    /// The path of the model; nil when the kernels in use, or this version, cannot read the file.
    package let model: String?
    /// Whether it may still be read: it can be, and the model is there as it was, or on a disk that is not mounted.
    package let isUsable: Bool
  }

  /// The packed weights in a folder, by the names of the files; what is being written is none yet.
  /// - Throws: ``ApusError`` of kind `argument` when `APUS_ISA` asks for kernels that are not there.
  package static func entries(in folder: String) throws(ApusError) -> [Entry] {
    let kernels = try KernelSet.selected().name
    return files(in: folder).filter { $0.path.hasSuffix(suffix) }.map { path, version in
      let origin = PackedWeightFile(path, kernels: kernels)?.origin
      return Entry(
        path: path, byteCount: version.byteCount, time: Double(version.modified) / 1e9, model: origin?.path,
        isUsable: origin.map { $0.state != .gone } ?? false)
    }
  }
}
