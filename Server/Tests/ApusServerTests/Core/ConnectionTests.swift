import Testing

@testable import ApusServer

/// What clients see of connections, byte by byte.
@Suite struct ConnectionTests {
  private static let leave = "HTTP/1.1 100 Continue\r\n\r\n"
  private static let body = #"{"model":"m","input":"a"}"#

  private func head(_ lines: String..., length: Int = body.utf8.count) -> String {
    (["POST /v1/embeddings HTTP/1.1", "Host: localhost", "Content-Length: \(length)"] + lines)
      .joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// The body is asked for, and belongs to the request: the answer says what its model lacks.
  @Test func whoWaitsForLeaveHasIt() async throws {
    try await RunningServer.with { server in
      let answer = try #require(
        await server.answer(
          to: head("Expect: 100-Continue", "Connection: close"), then: [(Self.leave, Self.body)]))
      #expect(answer.hasPrefix(Self.leave + "HTTP/1.1 404 "))
      #expect(answer.contains("'m'"))
    }
  }

  /// Two in turn, on a connection that stays open.
  @Test func aConnectionGoesOnAfterLeave() async throws {
    try await RunningServer.with { server in
      let answer = try #require(
        await server.answer(
          to: head("Expect: 100-continue"),
          then: [
            (Self.leave, Self.body), ("}", head("Expect: 100-continue", "Connection: close")),
            (Self.leave, Self.body),
          ]))
      #expect(answer.split(separator: Self.leave, omittingEmptySubsequences: false).count == 3)
    }
  }

  /// Whoever asks for another protocol is answered in this one, and goes on in it: the JDK's client asks with every request.
  @Test(arguments: [
    ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAAB"],
    ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="],
    ["Connection: keep-alive, upgrade", "Upgrade: TLS/1.2"], ["Upgrade: h2c"],
  ])
  func anotherProtocolIsNotTaken(_ lines: [String]) async throws {
    let asking = lines.joined(separator: "\r\n")
    let post = head(asking) + Self.body, last = head("Connection: close") + Self.body
    let get = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\(asking)\r\n\r\n"
    let chunked =
      "POST /v1/embeddings HTTP/1.1\r\nHost: localhost\r\n\(asking)\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "\(String(Self.body.utf8.count, radix: 16))\r\n\(Self.body)\r\n0\r\n\r\n"
    try await RunningServer.with { server in
      // One after the other, and all at once.
      let turns = await server.answer(
        to: post, then: [("}", post), ("}", chunked), ("}", get), ("live\n", post), ("}", last)])
      #expect(
        turns?.ranges(of: "HTTP/1.1 404 ").count == 5 && turns?.ranges(of: "200 OK").count == 1,
        "\(turns ?? "nothing")")
      let together = await server.answer(to: post + get + chunked + post + last)
      #expect(together?.ranges(of: "HTTP/1.1 404 ").count == 4 && together?.ranges(of: "200 OK").count == 1)
      #expect(together?.lowercased().contains("upgrade") == false)
    }
  }

  @Test func whatIsRefusedByItsHeadHasNoLeave() async throws {
    try await RunningServer.with(RunningServer.freePath()) {
      $0.keys = ["key"]
    } _: { server in
      let answer = try #require(await server.answer(to: head("Expect: 100-continue")))
      #expect(answer.hasPrefix("HTTP/1.1 401 ") && answer.lowercased().contains("\r\nconnection: close\r\n"))
      let long = head("Expect: 100-continue", "X-API-Key: key", length: 1 << 30)
      #expect(await server.answer(to: long)?.hasPrefix("HTTP/1.1 413 ") == true)
    }
  }

  /// Nothing of their bodies is ever sent.
  @Test(arguments: [
    ("POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nX-API-Key: key\r\nContent-Encoding: br", 415),
    ("POST /api/classify-image HTTP/1.1\r\nHost: a\r\nX-API-Key: key\r\nContent-Encoding: gzip, br", 415),
    (
      "POST /api/classify-image HTTP/1.1\r\nHost: a\r\nX-API-Key: key\r\nContent-Type: multipart/form-data",
      400
    ),
    ("POST /nothing HTTP/1.1\r\nHost: a\r\nX-API-Key: key", 404),
    ("POST /models/m HTTP/1.1\r\nHost: a\r\nX-API-Key: key", 404),
    ("POST /v2/models/m/infer HTTP/1.1\r\nHost: a\r\nX-API-Key: key", 404),
    ("POST /v2/repository/models/m/load HTTP/1.1\r\nHost: a\r\nX-API-Key: key", 404),
    ("PUT /v1/embeddings HTTP/1.1\r\nHost: a\r\nX-API-Key: key", 405),
    ("POST /v1/embeddings HTTP/1.1\r\nHost: a", 401),
    ("POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nHost: a\r\nX-API-Key: key", 400),
  ])
  func whatTheHeadTellsIsAnsweredBeforeTheBody(_ head: String, _ status: Int) async throws {
    try await RunningServer.with(RunningServer.freePath()) {
      $0.keys = ["key"]
      $0.allowsModelControl = true
    } _: { server in
      for length in ["Transfer-Encoding: chunked", "Content-Length: 5"] {
        for ending in ["Connection: close", "Expect: 100-continue"] {
          let request = [head, length, ending].joined(separator: "\r\n") + "\r\n\r\n"
          let answer = try #require(await server.answer(to: request))
          #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        }
      }
    }
  }

  /// What comes of its body is passed over, and the next request is understood.
  @Test func aConnectionGoesOnAfterARefusal() async throws {
    try await RunningServer.with { server in
      let head =
        "POST /v1/embeddings HTTP/1.1\r\nHost: a\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n"
      let rest = "5\r\nhello\r\n0\r\n\r\n"
      let next = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      let answer = try #require(await server.answer(to: head, then: [("}", rest + next)]))
      #expect(answer.hasPrefix("HTTP/1.1 415 ") && answer.hasSuffix("live\n"), "\(answer)")
    }
  }

  /// What is behind an answer without a body is the next answer, whatever was asked for.
  @Test(arguments: ["/nothing", "/embed", "/health/live", "/v2/models/m"])
  func whoAsksForAHeadGetsNoBody(_ path: String) async throws {
    try await RunningServer.with { server in
      let head = "HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n"
      let next = "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
      let answer = try #require(await server.answer(to: head + next))
      let end = try #require(answer.firstRange(of: "\r\n\r\n")).upperBound
      #expect(answer[end...].hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("live\n"), "\(answer)")
      #expect(answer[..<end].lowercased().contains("\r\ncontent-length: "))
    }
  }

  /// A body that does not come is told of before the connection ends, also where the client would have it stay.
  @Test(arguments: ["HTTP/1.1\r\nHost: a", "HTTP/1.0\r\nConnection: keep-alive"])
  func slowBodiesHaveAnAnswer(_ version: String) async throws {
    try await RunningServer.with(RunningServer.freePath()) {
      $0.bodyTime = .milliseconds(100)
    } _: { server in
      let request = "POST /v1/embeddings \(version)\r\nContent-Length: 25\r\n\r\n{"
      let answer = try #require(await server.answer(to: request))
      let status = answer.split(separator: " ").dropFirst().first
      #expect(status == "408" && answer.contains("did not come in the time"), "\(answer)")
      let head = answer.lowercased()
      #expect(head.contains("\r\nconnection: close\r\n") && !head.contains("keep-alive"), "\(answer)")
    }
  }

  @Test func otherTransferCodingsAreNotRead() async throws {
    try await RunningServer.with { server in
      let lines = [
        "POST /embed HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked", "Connection: close",
      ]
      let request = lines.joined(separator: "\r\n") + "\r\n\r\n0\r\n\r\n"
      let answer = try #require(await server.answer(to: request))
      #expect(answer.hasPrefix("HTTP/1.1 501 "), "\(answer)")
    }
  }

  /// A client that sends its body without waiting gets one answer.
  @Test func nobodyHasLeaveWhoDoesNotWait() async throws {
    try await RunningServer.with { server in
      let request = head("Connection: close") + Self.body
      #expect(await server.answer(to: request)?.hasPrefix("HTTP/1.1 404 ") == true)
    }
  }

  @Test func connectionsOfTheOldVersionEnd() async throws {
    try await RunningServer.with { server in
      let answer = try #require(await server.answer(to: "GET /health/live HTTP/1.0\r\n\r\n"))
      #expect(answer.hasSuffix("live\n") && answer.lowercased().contains("\r\nconnection: close\r\n"))
    }
  }

  @Test func connectionsOfTheOldVersionStayWhereThatIsWanted() async throws {
    try await RunningServer.with { server in
      let answer = try #require(
        await server.answer(
          to: "GET /health/live HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
          then: [("live\n", "GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n")]))
      #expect(answer.split(separator: "live\n").count == 2)
      #expect(answer.lowercased().contains("\r\nconnection: keep-alive\r\n"))
    }
  }

  /// The old version has no such header (``connectionsOfTheOldVersionEnd()``).
  @Test(arguments: [("", 400), ("Host: a\r\nHost: a\r\n", 400), ("Host:\r\n", 200), ("Host: a\r\n", 200)])
  func theNewVersionSaysWhomARequestIsFor(_ lines: String, _ status: Int) async throws {
    try await RunningServer.with { server in
      let request = "GET /health/live HTTP/1.1\r\n\(lines)Connection: close\r\n\r\n"
      let answer = try #require(await server.answer(to: request))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
    }
  }

  /// More than is ever read of a request, from clients that read nothing before all is sent.
  @Test(arguments: [
    ("NONE / HTTP/1.1\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nA: ", 431),
    ("POST /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 800000000\r\n\r\n", 404),
  ])
  func whoSendsOnHasItsAnswer(_ head: String, _ status: Int) async throws {
    try await RunningServer.with { server in
      let rest = String(repeating: "a", count: 8 << 20)
      let answer = try #require(await server.answer(to: head + rest))
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    }
  }

  @Test(arguments: [
    ("NONE / HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("nothing\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nA: \(String(repeating: "a", count: 100_000))\r\n\r\n", 431),
    (
      "POST /embed HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", 400
    ),
    ("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nnothing\r\n\r\n", 400),
  ])
  func whatIsNoHTTPIsAnsweredAsOtherErrors(_ request: String, _ status: Int) async throws {
    try await RunningServer.with { server in
      let answer = try #require(await server.answer(to: request))
      let last = try #require(answer.ranges(of: "HTTP/1.1 ").last.map { answer[$0.upperBound...] })
      #expect(last.hasPrefix("\(status) "))
      let end = try #require(last.firstRange(of: "\r\n\r\n"))
      let error = try JSONValue.parse(body: Array(last[end.upperBound...].utf8))
      #expect(error["error"]?.string?.isEmpty == false)
      let name = try #require(error["request_id"]?.string)
      #expect(last[..<end.lowerBound].lowercased().contains("\r\nx-request-id: \(name)"))
    }
  }
}
