import Apus
import ApusServing
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import Testing

@testable import ApusServer

@Suite struct PageTests {
  /// Digests by sha256sum, of as many letters a; around the lengths at which the padding takes another block.
  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
    (56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
    (63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"),
    (64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
    (119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"),
    (120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"),
    (1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
  ]) func digests(_ count: Int, _ expected: String) {
    let digest = SHA256.digest([UInt8](repeating: UInt8(ascii: "a"), count: count))
    #expect(digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  @Test func aPolicyAllowsWhatStandsInThePageAlone() {
    let page = PageDocument(
      Array("<style>a{}</style><p>b</p><script type=module>c()</script><script>d()</script>".utf8))
    func source(_ text: String) -> String {
      "'sha256-\(Data(SHA256.digest(Array(text.utf8))).base64EncodedString())'"
    }
    #expect(page.policy.contains("; script-src \(source("c()")) \(source("d()")); "))
    #expect(page.policy.contains("; style-src \(source("a{}")); "))
    #expect(PageDocument([]).policy.contains("; script-src 'none'; style-src 'none'; "))
  }

  @Test func thePageBringsAllThatItNeeds() {
    let text = String(decoding: PageDocument.inside.bytes, as: UTF8.self)
    #expect(text.hasPrefix("<!DOCTYPE html>"))
    let addresses = text.replacing("http://www.w3.org/2000/svg", with: "")
    #expect(!addresses.contains("http://") && !addresses.contains("https://"))
    // The policy refuses both without a word to whoever uses the page.
    #expect(!text.contains("style=") && !text.contains("innerHTML"))
    #expect(PageDocument.inside.policy.split(separator: "sha256-").count == 3)
    #expect(!PageDocument.inside.policy.contains("unsafe"))
  }

  /// Each field has its words within a label, and is sent under the name that the route has.
  @Test(arguments: ["since", "until"]) func photographsAreSearchedByDates(_ name: String) {
    let text = String(decoding: PageDocument.inside.bytes, as: UTF8.self)
    #expect(text.contains("<label>Taken \(name) <input type=\"date\" id=\"\(name)\""))
    #expect(text.contains(#"for (const id of ["since", "until"]) if ($(id).value) body[id] = $(id).value;"#))
    #expect(PhotoSearchRequest.known.contains(ExactText(name)))
  }

  @Test func browsersAskAgainWithoutFetchingAgain() async throws {
    let first = try await answer([:])
    #expect(first.status == .ok && first.headers[.contentType] == "text/html; charset=utf-8")
    #expect(first.headers[.contentSecurityPolicy] == PageDocument.inside.policy)
    #expect(first.body.contentLength == PageDocument.inside.bytes.count)
    let tag = try #require(first.headers[.eTag])
    for known in [tag, "W/\(tag)", "\"other\", \(tag)"] {
      let second = try await answer([.ifNoneMatch: known])
      #expect(second.status == .notModified && second.body.contentLength == 0)
    }
    #expect(try await answer([.ifNoneMatch: "\"other\""]).status == .ok)
  }

  @Test func linksOfOtherSitesLeadToThePageAndToNothingElse() async throws {
    let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
    let mode = try #require(HTTPField.Name("Sec-Fetch-Mode"))
    #expect(try await answer([site: "cross-site", mode: "navigate"]).status == .ok)
    #expect(try await answer([site: "cross-site", mode: "no-cors"]).status == .forbidden)
    let health = try await answer([site: "cross-site", mode: "navigate"], path: "/health")
    #expect(health.status == .forbidden)
  }

  @Test func thePageNeedsNoKey() async throws {
    var options = ServerOptions()
    options.keys = ["sesame"]
    #expect(try await answer([:], options).status == .ok)
    #expect(try await TestServer([], options).ask(.head, "/").status == 200)
  }

  private func answer(
    _ headers: HTTPFields, _ options: ServerOptions = ServerOptions(), path: String = "/"
  ) async throws -> Response {
    let state = ServerState(try ModelServer([]), options)
    let context = ServerContext(
      source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
    var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
    head.headerFields = headers
    let request = Request(head: head, body: .init(buffer: .init()))
    return try await HTTPServer.router(state).buildResponder().respond(to: request, context: context)
  }
}
