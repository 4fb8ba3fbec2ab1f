import Apus
import HTTPTypes
import Testing

@testable import ApusServer

/// A server behind a proxy is known by the address that browsers have for it.
@Suite struct PublicURLTests {
  @Test(arguments: [
    ("https://Example.org", "https://example.org", "example.org", ""),
    ("https://example.org:443/", "https://example.org", "example.org", ""),
    ("http://example.org:8443/a/b/", "http://example.org:8443", "example.org", "/a/b"),
    ("HTTP://[::1]:80/apus", "http://[::1]", "::1", "/apus"),
  ])
  func addressesAreRead(_ text: String, _ origin: String, _ host: String, _ path: String) throws {
    let url = try PublicURL(text)
    #expect(url.origin == origin && url.host == host && url.path == path)
    #expect(url.text == origin + path)
  }

  @Test(arguments: [
    "example.org", "ftp://example.org", "https://", "https:///apus", "https://a b", "https://u:p@example.org",
    "https://example.org?x", "https://example.org/#x", "https://example.org:0", "https://example.org:99999",
    "https://example.org:x", "https://example.org/../x", "https://exämple.org", "https://example.org/%61",
  ])
  func whatIsNoneIsRefused(_ text: String) {
    #expect {
      try PublicURL(text)
    } throws: {
      ($0 as? ApusError)?.kind == .argument
    }
  }

  private func server(_ url: String) throws -> TestServer {
    var options = ServerOptions()
    options.publicURL = try PublicURL(url)
    return try TestServer([], options)
  }

  /// nginx passes on its own name for the server, `127.0.0.1:8000`, unless told otherwise.
  @Test(arguments: [
    ("https://example.org", 200), ("https://example.org:8443", 403), ("http://example.org", 403),
    ("https://example.org.evil.example", 403), ("https://evil.example", 403), ("null", 403),
    ("http://127.0.0.1:9", 200),
  ])
  func pagesOfThatOriginMayAsk(_ origin: String, _ status: Int) async throws {
    for host in ["127.0.0.1:8000", "example.org"]
    where origin != "http://127.0.0.1:9" || host != "example.org" {
      let answer = try await server("https://example.org/apus").ask(
        .get, "/api/models", host: host, headers: [.origin: origin])
      #expect(answer.status == status, "\(host)")
    }
    let other = try await server("https://example.org").ask(.get, "/api/models", host: "evil.example")
    #expect(other.status == 403)
  }

  @Test func socketsHaveThatNameToo() async throws {
    var options = ServerOptions()
    options.address = .unixSocket("/nowhere")
    options.publicURL = try PublicURL("https://example.org")
    let server = try TestServer([], options)
    for (origin, status) in [("https://example.org", 200), ("https://evil.example", 403)] {
      let answer = try await server.ask(.get, "/api/models", host: "backend", headers: [.origin: origin])
      #expect(answer.status == status)
    }
  }

  /// What a proxy may have left of the path, and what it may have taken away.
  @Test func thePathMayStandBeforeAllOthers() async throws {
    let server = try server("https://example.org/apus")
    for path in ["/api/models", "/apus/api/models", "/apus/api/models?x=1"] {
      #expect(try await server.get(path).status == 200, "\(path)")
    }
    #expect(try await server.get("/apus/").bytes == PageDocument.inside.bytes)
    for path in ["/apus", "/apus?x=1"] {
      let answer = try await server.get(path)
      #expect(answer.status == 308 && answer.headers[.requestID]?.count == 16)
      #expect(answer.headers[.location] == "/apus/" + path.dropFirst(5))
    }
    #expect(try await server.get("/apusapi/models").status == 404)
    #expect(try await server.get("/apus/v1/nothing").text.contains("unknown_url"))
    #expect(try await self.server("https://example.org").get("/apus/api/models").status == 404)
    let description = try await server.get("/openapi.json").json
    #expect(description["servers"]?[0]?["url"]?.string == "https://example.org/apus")
  }

  /// Below a path an address that begins with a slash would lead elsewhere.
  @Test func thePageAsksBesideItself() {
    let text = String(decoding: PageDocument.inside.bytes, as: UTF8.self)
    for quote in ["\"", "'", "`"] { #expect(!text.contains(quote + "/api/")) }
    #expect(text.contains("\"api/zero-shot\""))
  }
}
