import HTTPTypes
import Testing

@testable import ApusServer

/// Whatever refuses a request, and wherever it does, answers in the form of the protocol that the route is described in.
@Suite struct ErrorFormTests {
  private let server: TestServer

  init() throws { server = try TestServer.small() }

  /// The routes with the keys of their errors, as they are described.
  private func routes() async throws -> [(method: HTTPRequest.Method, path: String, keys: Set<String>)] {
    let description = try await server.get("/openapi.json").json
    guard case .object(let paths)? = description["paths"] else { throw RequestFault.missing("paths") }
    var routes: [(method: HTTPRequest.Method, path: String, keys: Set<String>)] = []
    for path in paths {
      guard case .object(let operations) = path.value else { continue }
      let address = path.key.text.replacing("{model}", with: "sentence").replacing("{id}", with: "1")
        .replacing("{version}", with: "1")
      for operation in operations {
        let method = try #require(HTTPRequest.Method(rawValue: operation.key.text.uppercased()))
        let schema = operation.value["responses"]?["4XX"]?["content"]?["application/json"]?["schema"]
        // What shows errors to people as they are has sentences of its own; what stands before it has not.
        let keys = schema?["required"]?.list?.compactMap(\.string) ?? ["error", "request_id"]
        routes.append((method, address, Set(keys)))
      }
    }
    return routes
  }

  private func keys(_ answer: TestServer.Answer) throws -> Set<String> {
    guard case .object(let members) = try answer.json else { return [] }
    return Set(members.map(\.key.text))
  }

  @Test func refusalsBeforeARouteHaveItsForm() async throws {
    let routes = try await routes()
    #expect(routes.count > 30)
    let coding = try #require(HTTPField.Name("Transfer-Encoding"))
    for (method, path, wanted) in routes {
      let stranger = try await server.ask(method, path, host: "example.org")
      #expect(stranger.status == 403)
      #expect(try keys(stranger) == wanted, "\(method) \(path): \(stranger.text)")
      let coded = try await server.ask(method, path, host: "localhost", headers: [coding: "gzip"])
      #expect(coded.status == 501)
      #expect(try keys(coded) == wanted, "\(method) \(path): \(coded.text)")
    }
  }

  @Test func otherMethodsAreRefusedInTheFormOfTheRoute() async throws {
    for (method, path, wanted) in try await routes() where path != "/" {
      let answer = try await server.ask(.delete, path)
      #expect(answer.status == 405)
      #expect(try keys(answer) == wanted, "\(method) \(path): \(answer.text)")
    }
  }

  @Test(arguments: [
    ("/v1/nothing", ["error"]), ("/v2/nothing", ["error"]), ("/v2/rerank/nothing", ["error"]),
    ("/api/nothing", ["error", "request_id"]), ("/nothing", ["error", "error_type"]),
    ("/v11/nothing", ["error", "error_type"]),
  ])
  func whatIsNowhereHasTheFormOfItsNeighbours(_ path: String, _ wanted: [String]) async throws {
    let answer = try await server.get(path)
    #expect(answer.status == 404)
    #expect(try keys(answer) == Set(wanted))
  }
}
