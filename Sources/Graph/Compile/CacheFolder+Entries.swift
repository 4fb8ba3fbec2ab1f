import Kernels
import TensorCore

extension CacheFolder {
  /// A file of packed weights.
  package struct Entry: Sendable {
    package let path: String
    package let byteCount: Int
    /// When it was written, in seconds since 1970.
    package let time: Double
    /// Whether the kernels in use, and this version, can read it.
    package let isUsable: Bool
  }

  /// The packed weights in a folder, by the names of the files; what is being written is none yet.
  /// - Throws: ``ApusError`` of kind `argument` when `APUS_ISA` asks for kernels that are not there.
  package static func entries(in folder: String) throws(ApusError) -> [Entry] {
    let kernels = try KernelSet.selected().name
    return files(in: folder).filter { $0.path.hasSuffix(suffix) }.map { path, version in
      Entry(
        path: path, byteCount: version.byteCount, time: Double(version.modified) / 1e9,
        isUsable: PackedWeightFile(path, kernels: kernels) != nil)
    }
  }
}
