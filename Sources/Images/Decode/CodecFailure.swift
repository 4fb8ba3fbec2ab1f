import CCodecs
import TensorCore

extension ApusError {
  /// The bytes of a picture end too soon.
  static func truncated(_ format: ImageFormat) -> ApusError {
    ApusError(
      .image, "the \(format.rawValue) data ends before the picture does", expected: "a whole file",
      advice: "Copy or download the file again.")
  }

  /// The bytes of a picture are not as the format has them.
  static func broken(_ format: ImageFormat, _ reason: String) -> ApusError {
    ApusError(
      .image, "broken \(format.rawValue) data (\(reason))", advice: "Open and save the file again.")
  }
}

extension SystemLibrary {
  /// Throws what a call of the library ended with, unless that is a success.
  /// - Parameters:
  ///   - status: one of `CodecStatus.h`.
  ///   - message: what the library says of it.
  ///   - unsupported: the error for a kind of file that the library does not read.
  func check(
    _ status: Int32, _ message: String, unsupported: @autoclosure () -> ApusError? = nil
  ) throws(ApusError) {
    let said = "\(name): \(message)"
    switch Int(status) {
    case APUS_CODEC_OK: return
    case APUS_CODEC_TRUNCATED: throw .truncated(format)
    case APUS_CODEC_NO_MEMORY:
      throw ApusError(.resources, "no memory to decode the \(format.rawValue) picture (\(said))")
    case APUS_CODEC_UNUSABLE: throw unusable
    case APUS_CODEC_UNSUPPORTED:
      throw unsupported()
        ?? ApusError(
          .image, "a kind of \(format.rawValue) that is not read (\(said))",
          advice: "Convert the file to PNG or JPEG.")
    default: throw .broken(format, said)
    }
  }
}
