import ApusServing
import FoundationEssentials
import HTTPTypes
import Testing

@testable import ApusServer

/// Whom a server answers, and what it reads of them.
@Suite struct AdmissionTests {
  private func server(_ change: (inout ServerOptions) -> Void) throws -> TestServer {
    var options = ServerOptions()
    change(&options)
    return try TestServer([], options)
  }

  @Test(arguments: [
    (["authorization": "Bearer second"], 404), (["authorization": "bearer first"], 404),
    (["authorization": "Bearer   second"], 404), (["authorization": "Bearersecond"], 401),
    (["x-api-key": "first"], 404), ([:], 401), (["authorization": "Bearer third"], 401),
    (["authorization": "Bearer "], 401), (["authorization": "Bearer secon"], 401),
    (["authorization": "Bearer secondary"], 401), (["authorization": "Basic second"], 401),
    (["x-api-key": ""], 401),
  ])
  func onlyWhoHasAKeyIsLetIn(headers: [String: String], status: Int) async throws {
    let server = try server { $0.keys = ["first", "second"] }
    var fields: [HTTPField.Name: String] = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let answer = try await server.ask(.get, "/nothing", headers: fields)
    #expect(answer.status == status)
    #expect((answer.headers[.wwwAuthenticate] == "Bearer") == (status == 401))
  }

  @Test(arguments: ["/health", "/health/live", "/v2/health/live"])
  func whetherItIsWellNeedsNoKey(path: String) async throws {
    let server = try server { $0.keys = ["key"] }
    #expect(try await server.get(path).status == 200)
    #expect(try await server.ask(.head, path).status == 200)
  }

  @Test(arguments: [
    ("localhost", 200), ("LOCALHOST:8000", 200), ("a.localhost:1", 200), ("127.0.0.1:8000", 200),
    ("192.168.1.7", 200), ("[::1]:8000", 200), ("swift.example", 200), ("", 200),
    ("localhost.", 200), ("LOCALHOST.:8000", 200), ("swift.example.", 200), (".", 403), ("localhost..", 403),
    ("other.example", 403), ("localhost.example", 403), ("127.0.0.1.example:8000", 403), ("1.2.3", 403),
    ("1.2.3.256", 403), ("swift.example.other", 403),
  ])
  func namesThatLeadHereByATrickAreRefused(host: String, status: Int) async throws {
    let server = try server { $0.hostNames = ["swift.example"] }
    #expect(try await server.ask(.get, "/health", host: host).status == status)
  }

  @Test(arguments: [
    ("http://localhost:8000", 200), ("http://localhost.:8000", 200), ("http://127.0.0.1", 403),
    ("https://other.example", 403), ("null", 403),
  ])
  func pagesOfOtherSitesAreRefused(origin: String, status: Int) async throws {
    let server = try server { _ in }
    #expect(try await server.ask(.get, "/health", headers: [.origin: origin]).status == status)
  }

  @Test func namesOfTheServerMayEndWithADot() async throws {
    let server = try server { $0.hostNames = ["swift.example."] }
    let answer = try await server.ask(.get, "/health", host: "swift.example")
    #expect(answer.status == 200)
  }

  /// In the form of the protocol that the address belongs to, as every other error.
  @Test func refusalsHaveTheirForm() async throws {
    let server = try server { _ in }
    let native = try await server.ask(.get, "/api/models", host: "other.example")
    #expect(native.status == 403)
    #expect(try native.json["request_id"]?.string == native.headers[.requestID])
    let openAI = try await server.ask(.get, "/v1/models", host: "other.example").json
    #expect(openAI["error"]?["message"]?.string?.contains("other.example") == true)
  }

  @Test func aRequestKeepsItsOwnName() async throws {
    let server = try server { _ in }
    let name = try #require(HTTPField.Name("X-Request-ID"))
    #expect(try await server.ask(.get, "/health", headers: [name: "mine-7"]).headers[name] == "mine-7")
    for unfit in ["", "a b", String(repeating: "a", count: 129)] {
      let answer = try await server.ask(.get, "/nothing", headers: [name: unfit])
      let given = try #require(answer.headers[name])
      #expect(given != unfit && given.utf8.count == 16)
    }
    #expect(RequestName.text(of: 10) == "000000000000000a")
    #expect(RequestName.text(of: .max) == "ffffffffffffffff")
  }

  /// Also where names are not looked at.
  @Test func whomARequestIsForHasToBeSaidOnce() async throws {
    let second = try #require(HTTPField.Name("Host"))
    for address in [ServerOptions.Address.host("localhost", port: 8000), .unixSocket("/nowhere")] {
      let server = try server { $0.address = address }
      let (none, two) = (
        try await server.ask(.get, "/api/models", host: nil),
        try await server.ask(.get, "/health", headers: [second: "localhost"])
      )
      #expect(none.status == 400 && two.status == 400)
      let id = try none.json["request_id"]?.string
      #expect(id == none.headers[.requestID] && none.text.contains("no 'Host' header"))
    }
  }
}
