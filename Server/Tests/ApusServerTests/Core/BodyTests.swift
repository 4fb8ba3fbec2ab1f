import ApusServing
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Testing

@testable import ApusServer

/// What is read of the bodies of requests.
@Suite struct BodyTests {
  private static let text = Array(#"{"text":"hello"}"#.utf8)
  private static let gzip = "H4sIAAAAAAACA6tWKkmtKFGyUspIzcnJV6oFADyq3IkQAAAA"
  private static let deflate = "eJyrVipJrShRslLKSM3JyVeqBQAvUQWU"

  private func read(
    _ bytes: [UInt8], packedIn coding: String? = nil, _ change: (inout ServerOptions) -> Void = { _ in }
  ) async throws -> (body: CountedBody, state: ServerState) {
    var options = ServerOptions()
    change(&options)
    let state = ServerState(try ModelServer([]), options)
    var head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
    head.headerFields[.contentEncoding] = coding
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes)))
    return (try await state.body(of: request), state)
  }

  private func bytes(_ base64: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: base64)))
  }

  @Test(arguments: [("gzip", gzip), ("x-gzip", gzip), ("GZIP", gzip), ("deflate", deflate)])
  func packedBodiesAreUnpacked(coding: String, packed: String) async throws {
    #expect(try await read(try bytes(packed), packedIn: coding).body.bytes == Self.text)
  }

  /// As `cat a.gz b.gz` makes them, and programs that pack parts of a file at once.
  @Test func packedBodiesMayHaveSeveralMembers() async throws {
    let member = try bytes(Self.gzip)
    #expect(try await read(member + member, packedIn: "gzip").body.bytes == Self.text + Self.text)
    let long = await #expect(throws: ServingError.self) {
      try await read(member + member, packedIn: "gzip", { $0.bodyBytes = 31 })
    }
    #expect(long?.kind == .tooLarge)
    for damaged in [member + member.dropLast(), member + member + [0]] {
      await #expect(throws: ServingError.self) { try await read(damaged, packedIn: "gzip") }
    }
    let twice = try bytes(Self.deflate) + bytes(Self.deflate)
    await #expect(throws: ServingError.self) { try await read(twice, packedIn: "deflate") }
  }

  @Test func otherCodingsAreRefused() async throws {
    #expect(try await read(Self.text, packedIn: "identity").body.bytes == Self.text)
    let error = await #expect(throws: ServingError.self) { try await read(Self.text, packedIn: "br") }
    #expect(error?.kind == .unsupportedCoding)
    let long = String(repeating: "x", count: 10_000)
    let clipped = await #expect(throws: ServingError.self) { try await read(Self.text, packedIn: long) }
    #expect(clipped.map { $0.message.count < 120 } == true)
  }

  /// In every protocol's form, with what would have been read (RFC 9110, 15.5.16).
  @Test(arguments: ["/v1/embeddings", "/embed", "/api/embed", "/api/classify", "/v2/repository/index"])
  func otherCodingsAreAnsweredWithThoseThatAreRead(_ path: String) async throws {
    let server = try TestServer([])
    let answer = try await server.ask(.post, path, Self.text, headers: [.contentEncoding: "br"])
    #expect(answer.status == 415, "\(answer.text)")
    #expect(answer.headers[.acceptEncoding] == "gzip, deflate")
  }

  @Test(arguments: [
    ("chunked", 404), ("Chunked", 404), ("gzip, chunked", 501), ("chunked, chunked", 501), ("gzip", 501),
  ])
  func bodiesComeInChunksAlone(_ coding: String, _ status: Int) async throws {
    let server = try TestServer([])
    let answer = try await server.ask(.post, "/nothing", Self.text, headers: [.transferEncoding: coding])
    #expect(answer.status == status, "\(answer.text)")
  }

  /// Cut off anywhere, with a byte changed anywhere, or with more behind it: refused, or what it was.
  @Test(arguments: [("gzip", gzip), ("deflate", deflate)])
  func damagedBodiesAreRefused(coding: String, packed: String) async throws {
    let packed = try bytes(packed)
    for count in 0..<packed.count {
      await #expect(throws: ServingError.self) {
        try await read(Array(packed[..<count]), packedIn: coding)
      }
    }
    for place in packed.indices {
      var damaged = packed
      damaged[place] ^= 0x55
      guard let body = try? await read(damaged, packedIn: coding).body else { continue }
      #expect(body.bytes == Self.text)
    }
    await #expect(throws: ServingError.self) { try await read(packed + [0], packedIn: coding) }
  }

  @Test func bodiesAreAsLongAsTheyMayBe() async throws {
    #expect(try await read(Self.text, { $0.bodyBytes = 16 }).body.bytes == Self.text)
    let long = await #expect(throws: ServingError.self) { try await read(Self.text, { $0.bodyBytes = 15 }) }
    #expect(long?.kind == .tooLarge)
    let packed = try bytes(Self.deflate)
    let unpacked = await #expect(throws: ServingError.self) {
      try await read(packed, packedIn: "deflate", { $0.bodyBytes = 15 })
    }
    #expect(unpacked?.kind == .tooLarge)
  }

  @Test func whatBodiesTakeTogetherIsCounted() async throws {
    let (first, state) = try await read(Self.text, { $0.bodyBytesInAll = 40 })
    try state.bodies.take(24)
    let error = #expect(throws: ServingError.self) { try state.bodies.take(1) }
    guard case .overloaded = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
    state.bodies.giveBack(24)
    try state.bodies.take(24)
    withExtendedLifetime(first) {}
  }

  @Test func bodiesThatNobodyKeepsDoNotCount() async throws {
    var body: CountedBody?
    let state: ServerState
    (body, state) = try await read(Self.text, { $0.bodyBytesInAll = 16 })
    #expect(throws: ServingError.self) { try state.bodies.take(1) }
    withExtendedLifetime(body) {}
    body = nil
    try state.bodies.take(16)
  }
}
