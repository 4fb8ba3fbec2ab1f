import HTTPTypes
import Hummingbird
import NIOCore

/// `GET /`: the page.
struct PageRoutes: EndpointList {
  let dialect = Dialect.server
  private let page = PageDocument.inside

  var endpoints: [Endpoint] {
    [
      .get("/", "Returns the page for browsers.", "text/html") { request, _ in
        await request.response(version: page.version) {
          Response(
            status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.bytes)))
        }
      }
    ]
  }

  private var headers: HTTPFields {
    var headers: HTTPFields = [
      .contentType: "text/html; charset=utf-8", .contentSecurityPolicy: page.policy,
      .xContentTypeOptions: "nosniff",
    ]
    // No other site has anything of it, or learns that it was here.
    let others = [
      ("Referrer-Policy", "no-referrer"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    ]
    for (name, value) in others { if let name = HTTPField.Name(name) { headers[name] = value } }
    return headers
  }
}
