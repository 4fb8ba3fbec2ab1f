import Formats
import TensorCore

extension ProtobufReader<ArraySlice<UInt8>>.Field {
  /// The payload as a well-formed string.
  func text() throws(ApusError) -> ArraySlice<UInt8> {
    let bytes = try bytes()
    guard UTF8Bytes.isValid(bytes) else {
      throw ApusError.malformedMessage("field \(number) is not well-formed UTF-8", nil, offset)
    }
    return bytes
  }
}
