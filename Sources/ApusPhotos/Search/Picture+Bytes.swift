import Apus
import TensorCore

extension Picture {
  /// The bytes of its file; nil for decoded pixels.
  /// - Throws: ``ApusError`` of kind `file`.
  func bytes() throws(ApusError) -> [UInt8]? {
    switch self {
    case .file(let path): try FileBytes.read(path, limit: ImageLimits.standard.fileBytes)
    case .encoded(let bytes): bytes
    case .pixels: nil
    }
  }
}
