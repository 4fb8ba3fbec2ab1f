import ApusServing
import Hummingbird
import Testing

@testable import ApusServer

@Suite struct OpenAPIDescriptionTests {
  private let server: TestServer

  // Its own: a path that is described takes the model out of memory.
  init() throws { server = try TestServer.small() }

  private func operations() async throws -> [(path: String, method: String, operation: JSONValue)] {
    let description = try await server.get("/openapi.json").json
    #expect(description["openapi"]?.string == "3.1.0")
    return try #require(description["paths"]?.members).flatMap { path in
      (path.value.members ?? []).map { (path.key.text, $0.key.text, $0.value) }
    }
  }

  /// A path as it is asked for.
  private func address(_ path: String) -> String {
    path.replacing("{model}", with: "scenes").replacing("{id}", with: "1").replacing("{version}", with: "1")
  }

  /// What is described is there: nothing is answered with "there is nothing at …".
  @Test func everyPathIsServed() async throws {
    let operations = try await operations()
    #expect(operations.count >= 20)
    for (path, method, _) in operations {
      let method = try #require(HTTPRequest.Method(rawValue: method.uppercased()))
      let answer = try await server.ask(method, address(path))
      #expect(!answer.text.contains("nothing at"), "\(method) \(path)")
      #expect(answer.status != 405, "\(method) \(path)")
    }
  }

  @Test(arguments: [
    "/", "/health", "/health/live", "/health/ready", "/metrics", "/openapi.json", "/api/photos/{id}",
    "/api/photos/{id}/thumbnail", "/v2/models/{model}/versions/{version}",
    "/v2/models/{model}/versions/{version}/stats",
  ])
  func whatIsAskedForIsDescribed(_ path: String) async throws {
    let described = try await operations().contains { $0.path == path && $0.method == "get" }
    #expect(described)
  }

  @Test(arguments: ["/metrics", "/health", "/", "/openapi.json"])
  func answersHaveTheTypeThatIsDescribed(_ path: String) async throws {
    let all = try await operations()
    let described = all.first { $0.path == path && $0.method == "get" }
    let answer = try await server.get(path)
    let content = described?.operation["responses"]?["\(answer.status)"]?["content"]
    let types = try #require(content?.members)
    let type = try #require(answer.headers[.contentType])
    #expect(types.contains { type.hasPrefix($0.key.text) }, "\(type)")
  }

  /// Also those of other protocols that go over HTTP.
  @Test(arguments: ["PROPFIND", "MKCOL", "LINK", "SEARCH", "PURGE", "M-SEARCH"])
  func everyOtherMethodIsRefused(_ name: String) async throws {
    let method = try #require(HTTPRequest.Method(rawValue: name))
    let paths = [
      "/health", "/embed", "/v2/models/scenes", "/v2/repository/models/scenes/load", "/api/photos/1",
    ]
    for path in paths {
      let answer = try await server.ask(method, path)
      #expect(answer.status == 405 && answer.text.contains(name), "\(path)")
      #expect(answer.headers[.allow] != nil, "\(path)")
    }
    let nowhere = try await server.ask(method, "/nowhere")
    #expect(nowhere.status == 404)
  }

  /// Other methods are refused with those that there are.
  @Test func otherMethodsAreRefused() async throws {
    let answer = try await server.ask(.delete, "/v1/models/scenes")
    #expect(answer.status == 405)
    #expect(answer.headers[.allow] == "GET, HEAD")
    #expect(try answer.json["error"]?["message"]?.string?.contains("DELETE") == true)
    #expect(try await server.get("/embed").status == 405)
  }

  @Test(arguments: [
    ("/", "GET, HEAD, POST"), ("/health", "GET, HEAD"), ("/health/live", "GET, HEAD"),
    ("/metrics", "GET, HEAD"),
    ("/api/photos/1", "GET, HEAD"), ("/v2/health/live", "GET, HEAD"), ("/v2/models/scenes", "GET, HEAD"),
    ("/v2/repository/index", "POST"), ("/v2/models/scenes/infer", "POST"),
  ])
  func refusalsNameWhatThereIs(_ path: String, _ allowed: String) async throws {
    let answer = try await server.ask(.put, path)
    #expect(answer.status == 405)
    let names = answer.headers[.allow]?.split(separator: ", ").map(String.init).sorted()
    #expect(names?.joined(separator: ", ") == allowed)
  }

  /// What is asked for its head alone has the head of the whole.
  @Test(arguments: [
    "/", "/health", "/health/live", "/health/ready", "/metrics", "/openapi.json", "/info", "/v1/models",
    "/v1/models/scenes", "/api/tags", "/api/models", "/api/photos/1", "/v2", "/v2/health/live",
    "/v2/health/ready", "/v2/models/scenes", "/v2/models/stats", "/nowhere", "/embed",
  ])
  func headsAreThoseOfTheWhole(_ path: String) async throws {
    let (head, whole) = (try await server.ask(.head, path), try await server.get(path))
    #expect(head.status == whole.status)
    #expect(head.headers[.contentType] == whole.headers[.contentType])
    guard whole.status == 200 else { return }
    #expect(head.bytes.isEmpty)
    // Clocks and counts go on.
    let varies = ["/metrics", "/api/models", "/v2/models/stats"].contains(path)
    #expect(varies || head.headers[.contentLength] == String(whole.bytes.count))
  }

  /// A body that its schema requires keys of is refused without them, in the form that the description has for errors.
  @Test func whatIsRequiredIsRequired() async throws {
    for (path, method, operation) in try await operations() where method == "post" {
      // What may be sent without a body is described without one.
      guard let body = operation["requestBody"] else { continue }
      let json = try #require(body["content"]?["application/json"]?["schema"])
      for schema in json["anyOf"]?.list ?? [json] {
        #expect(schema["required"]?.list?.isEmpty == false, "\(path)")
      }
      let answer = try await server.post(address(path), "{}")
      #expect((400..<500).contains(answer.status), "\(path)")
      let contents = try #require(operation["responses"]?["4XX"]?["content"])
      let type = try #require(answer.headers[.contentType])
      #expect(contents.members?.contains { type.hasPrefix($0.key.text) } == true, "\(path): \(type)")
      if let keys = contents["application/json"]?["schema"]?["required"]?.list?.compactMap(\.string) {
        for key in keys { #expect(try answer.json[key] != nil, "\(path): \(key)") }
      }
    }
  }
}
