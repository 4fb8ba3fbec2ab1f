import FoundationEssentials
import Hummingbird
import NIOCore

extension Response {
  /// An answer in JSON.
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // Numbers that JSON lacks are refused before; what cannot be written all the same is the server's fault.
    guard let bytes = try? encoder.encode(value) else { return Response(status: .internalServerError) }
    return encodedJSON(Array(bytes), status: status)
  }

  /// An answer whose JSON is written already.
  static func encodedJSON(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// An answer in plain text.
  static func text(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
  }
}

extension JSONText {
  /// The answer with this body.
  var response: Response { .encodedJSON(bytes) }
}
