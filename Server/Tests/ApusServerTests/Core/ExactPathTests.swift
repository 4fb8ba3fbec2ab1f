import HTTPTypes
import Testing

@testable import ApusServer

/// A path is what is written: what stands in front of the server and guards an address guards it.
@Suite struct ExactPathTests {
  private let server: TestServer

  init() throws { server = try TestServer.small() }

  /// Other spellings of a path, under which some programs find the same.
  private static func spellings(of path: String) -> [String] {
    let name = path.dropFirst()
    let encoded = name.utf8.prefix(1).map { String($0, radix: 16) }.joined()
    return [
      "/" + path, "//" + path, path + "/", path + "//", path.replacing("/", with: "//"),
      "/." + path, path + "/.", "/x/.." + path, path + "%2F", path + "%2f", "/%2F" + name, "%2F" + name,
      "/%\(encoded)" + name.dropFirst(), path + ";x", path + "/%2e", "/%2e" + path, path.uppercased(),
      "\\" + path,
    ]
  }

  /// The server's own, Apus' own, photographs and the Open Inference Protocol.
  @Test(arguments: [
    ("GET", "/metrics"), ("GET", "/health"), ("GET", "/health/live"), ("GET", "/health/ready"),
    ("GET", "/openapi.json"), ("GET", "/api/models"), ("GET", "/api/photos"), ("GET", "/api/photos/1"),
    ("GET", "/api/photos/1/thumbnail"), ("GET", "/api/search"), ("POST", "/api/search"),
    ("POST", "/api/classify"), ("POST", "/api/classify-text"), ("GET", "/v2"),
    ("GET", "/v2/models/sentence"), ("GET", "/v2/models/stats"), ("POST", "/v2/models/sentence/infer"),
    ("POST", "/v2/repository/index"), ("POST", "/v2/repository/models/sentence/unload"),
  ])
  func onlyThePathItselfIsServed(_ method: String, _ path: String) async throws {
    let method = try #require(HTTPRequest.Method(rawValue: method))
    // What is there may say itself that it lacks something.
    let right = try await server.ask(method, path, Array("{}".utf8))
    #expect(!right.text.contains("nothing at"), "\(right.text)")
    for spelling in Self.spellings(of: path) where spelling != path {
      let answer = try await server.ask(method, spelling, Array("{}".utf8))
      // Names of models may have slashes, so that the same path with more behind it is that of another one.
      #expect([404, 405].contains(answer.status), "\(spelling): \(answer.text)")
      let hasEmptySegments = spelling.contains("//") || spelling.hasSuffix("/")
      #expect(!hasEmptySegments || answer.text.contains("nothing at"), "\(spelling): \(answer.text)")
    }
  }

  /// The page is there alone; huggingface_hub posts there.
  @Test func theRootIsOneSlash() async throws {
    #expect(try await server.get("/").status == 200)
    #expect(try await server.get("//").status == 404)
    #expect(try await server.post("//", #"{"inputs":"a cat"}"#).status == 200)
  }

  /// LlamaIndex and others put a base URL before a path as they are, `http://host/` before `/embed`.
  @Test(arguments: [
    ("//v1/embeddings", #"{"model":"sentence","input":"a cat"}"#),
    ("/v1//embeddings", #"{"model":"sentence","input":"a cat"}"#), ("//embed", #"{"inputs":"a cat"}"#),
    ("//tokenize", #"{"inputs":"a cat"}"#), ("//models/sentence", #"{"inputs":"a cat"}"#),
    ("//api/embed", #"{"model":"sentence","input":"a cat"}"#), ("//embed/", #"{"inputs":"a cat"}"#),
  ])
  func baseURLsMayEndWithASlash(_ path: String, _ body: String) async throws {
    let answer = try await server.post(path, body)
    #expect(answer.status == 200, "\(answer.text)")
  }

  @Test(arguments: [
    "//v1/models", "//v1/models/sentence", "/v1//models", "//info", "//api/tags", "//api/version",
  ])
  func soMayThoseOfLists(_ path: String) async throws {
    #expect(try await server.get(path).status == 200)
  }

  /// The path of the public address is one, too.
  @Test func whatFollowsThePrefixIsExact() async throws {
    var options = ServerOptions()
    options.publicURL = try PublicURL("https://example.org/apus")
    let server = try TestServer([], options)
    #expect(try await server.get("/apus/metrics").status == 200)
    for path in ["/apus//metrics", "//apus/metrics", "/apus/metrics/", "/apus/./metrics"] {
      #expect(try await server.get(path).status == 404, "\(path)")
    }
  }
}
