import ApusServing
import HTTPTypes
import Testing

@testable import ApusServer

/// Who may load and unload models, and from where.
@Suite struct ModelControlTests {
  private static let load = "/v2/repository/models/stars/load"
  private static let unload = "/v2/repository/models/stars/unload"

  private func server(_ change: (inout ServerOptions) -> Void = { _ in }) throws -> TestServer {
    var options = ServerOptions()
    change(&options)
    return try TestServer(
      [ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars")], options)
  }

  private func statuses(_ server: TestServer, key: String? = nil) async throws -> [Int] {
    let name = try #require(HTTPField.Name("X-API-Key"))
    let headers = key.map { [name: $0] } ?? [:]
    var statuses: [Int] = []
    for path in [Self.load, Self.unload, Self.load, "/v2/repository/index"] {
      statuses.append(try await server.ask(.post, path, headers: headers).status)
    }
    return statuses
  }

  @Test func nobodyMayUnlessToldSo() async throws {
    let server = try server()
    #expect(try await statuses(server) == [403, 403, 403, 200])
    let answer = try await server.ask(.post, Self.unload)
    #expect(try answer.json["error"]?.string?.contains("--allow-model-control") == true)
    #expect(try await server.post("/api/classify-text", #"{"text": "a"}"#).status == 200)
  }

  @Test func allMayWhereTheServerAllowsIt() async throws {
    #expect(try await statuses(try server { $0.allowsModelControl = true }) == [200, 200, 200, 200])
  }

  @Test func aKeyOfItsOwnMay() async throws {
    let open = try server { $0.controlKeys = ["control"] }
    #expect(try await statuses(open, key: "control") == [200, 200, 200, 200])
    #expect(try await statuses(open, key: "other") == [403, 403, 403, 200])
    #expect(try await statuses(open) == [403, 403, 403, 200])
    let locked = try server {
      $0.keys = ["key"]
      $0.controlKeys = ["control"]
    }
    #expect(try await statuses(locked, key: "key") == [403, 403, 403, 200])
    #expect(try await statuses(locked, key: "control") == [200, 200, 200, 200])
    #expect(try await statuses(locked) == [401, 401, 401, 401])
  }

  /// nginx calls a server by the address or the name of its upstream, where it is not told otherwise: browsers say
  /// themselves that a page asks its own site. Where the site is known, a page has to be of it.
  @Test(arguments: [
    (["Sec-Fetch-Site": "same-origin", "Origin": "https://site.example"], 200, 403),
    (["Sec-Fetch-Site": "same-origin", "Origin": "https://public.example"], 200, 200),
    (["Sec-Fetch-Site": "same-origin"], 200, 200), (["Origin": "https://site.example"], 403, 403),
    (["Sec-Fetch-Site": "same-site", "Origin": "https://site.example"], 403, 403),
    (["Sec-Fetch-Site": "cross-site", "Origin": "https://site.example"], 403, 403),
    (["Sec-Fetch-Site": "cross-site"], 403, 403),
  ])
  func pagesMayAskTheirOwnSite(_ headers: [String: String], _ status: Int, _ statusOfKnown: Int) async throws
  {
    var fields: [HTTPField.Name: String] = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let open = try server { $0.hostNames = ["upstream"] }
    let address = try PublicURL("https://public.example")
    let known = try server { ($0.hostNames, $0.publicURL) = (["upstream"], address) }
    for host in ["127.0.0.1:8000", "upstream"] {
      #expect(try await open.ask(.get, "/api/models", host: host, headers: fields).status == status)
      #expect(try await known.ask(.get, "/api/models", host: host, headers: fields).status == statusOfKnown)
    }
    // A name that leads here by a trick has pages of its own.
    #expect(try await open.ask(.get, "/api/models", host: "evil.example", headers: fields).status == 403)
  }

  /// A proxy in front of a socket hands on what a page of another site has a browser send.
  @Test(arguments: [
    (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
    (["Origin": "https://other.example"], 403), (["Origin": "null"], 403), ([:], 200),
    (["Sec-Fetch-Site": "same-origin", "Origin": "https://public.example"], 200),
    (["Sec-Fetch-Site": "none"], 200), (["Origin": "http://localhost"], 200),
  ])
  func otherSitesMayNotAskASocket(_ headers: [String: String], _ status: Int) async throws {
    let server = try server { $0.address = .unixSocket("/nowhere") }
    var fields: [HTTPField.Name: String] = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let answer = try await server.ask(.get, "/api/models", headers: fields)
    #expect(answer.status == status, "\(answer.text)")
    let proxied = try await server.ask(.get, "/api/models", host: "backend")
    #expect(proxied.status == 200)
  }
}
