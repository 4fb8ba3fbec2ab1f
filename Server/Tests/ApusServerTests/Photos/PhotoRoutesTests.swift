import ApusPhotos
import ApusServing
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import ServingTestSupport
import Testing

@testable import ApusServer

/// The routes over an index of drawn scenes.
@Suite struct PhotoRoutesTests {
  private static let scenes = URL(filePath: #filePath).appending(path: "../../../../../Weights/scenes")
    .standardized.path
  private static let circles = "\(scenes)/samples/three-red-circles.png"

  private struct Answer {
    let status: HTTPResponse.Status
    let headers: HTTPFields
    let bytes: [UInt8]

    var results: [[String: String]] {
      get throws {
        struct Body: Decodable { let results: [Item] }
        struct Item: Decodable {
          let id: String
          let path: String
        }
        return try JSONDecoder().decode(Body.self, from: Data(bytes)).results.map {
          ["id": $0.id, "path": $0.path]
        }
      }
    }
  }

  /// A folder with an index of pictures, gone when the test is done.
  private final class Place {
    let folder: String

    init() async throws {
      folder =
        FileManager.default.temporaryDirectory.appending(path: "apus-\(UInt64.random(in: 0...(.max)))").path
      try FileManager.default.createDirectory(atPath: "\(folder)/pictures", withIntermediateDirectories: true)
      for name in ["three-red-circles", "a-spotted-green-square", "a-purple-umbrella"] {
        try FileManager.default.copyItem(
          atPath: "\(PhotoRoutesTests.scenes)/samples/\(name).png", toPath: "\(folder)/pictures/\(name).png")
      }
      let index = try PhotoIndex(at: "\(folder)/index", creating: true)
      try await index.update(["\(folder)/pictures"], with: PhotoModel(PhotoRoutesTests.scenes))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func answer(
      _ path: String, _ json: String? = nil, headers: HTTPFields = [:], hasPhotos: Bool = true,
      limits: ServingLimits = .patient, options: ServerOptions = ServerOptions()
    ) async throws -> Answer {
      let photos = hasPhotos ? try PhotoLibrary(index: "\(folder)/index", threads: 1) : nil
      let state = ServerState(try ModelServer([], limits: limits), options, photos: photos)
      let context = ServerContext(
        source: ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "test")))
      var head = HTTPRequest(
        method: json == nil ? .get : .post, scheme: "http", authority: "localhost", path: path)
      head.headerFields = headers
      let request = Request(head: head, body: .init(buffer: ByteBuffer(string: json ?? "")))
      let response = try await HTTPServer.router(state).buildResponder().respond(
        to: request, context: context)
      let bytes = try await Collector.bytes(of: response.body)
      return Answer(status: response.status, headers: response.headers, bytes: bytes)
    }
  }

  /// What a body is, in one piece.
  private struct Collector: ResponseBodyWriter {
    let part: @Sendable (ByteBuffer) -> Void

    mutating func write(_ buffer: ByteBuffer) async throws { part(buffer) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}

    static func bytes(of body: ResponseBody) async throws -> [UInt8] {
      let (stream, parts) = AsyncStream.makeStream(of: ByteBuffer.self)
      try await body.write(Collector { parts.yield($0) })
      parts.finish()
      var bytes: [UInt8] = []
      for await part in stream { bytes += part.readableBytesView }
      return bytes
    }
  }

  @Test func sentencesPhotographsAndPicturesFind() async throws {
    let place = try await Place()
    let found = try await place.answer("/api/search", #"{"query":["three red circles"],"top":2}"#).results
    #expect(found.map { $0["path"] ?? "" }.first?.hasSuffix("/three-red-circles.png") == true)
    #expect(found.count == 2)
    let again = try await place.answer("/api/search?query=three%20red%20circles&top=2").results
    #expect(again == found)
    let id = try #require(found[1]["id"])
    let alike = try await place.answer("/api/search", "{\"like\":[\"\(id)\"]}").results
    #expect(alike.first?["id"] == id)
    let file = try Data(contentsOf: URL(filePath: Self.circles)).base64EncodedString()
    let byPicture = try await place.answer("/api/search", "{\"image\":\"\(file)\"}").results
    #expect(byPicture.first == found.first)
  }

  /// The model of scenes knows too few words for sentences that say nothing.
  @Test func whereNothingIsLeftOutTheAnswerSaysWhy() async throws {
    let place = try await Place()
    let plain = try await place.answer("/api/search?query=three%20red%20circles")
    #expect(String(decoding: plain.bytes, as: UTF8.self).contains("\"note\"") == false)
    let fitting = try await place.answer("/api/search?query=three%20red%20circles&min_score=auto")
    struct Body: Decodable { let note: String? }
    let note = try JSONDecoder().decode(Body.self, from: Data(fitting.bytes)).note
    #expect(try fitting.results == plain.results && note?.contains("'a snapshot'") == true)
  }

  /// The samples say neither when nor where they were taken: the times of their files count.
  @Test func filtersLeaveOutWhatTheySay() async throws {
    let place = try await Place()
    func count(_ filter: String) async throws -> Int {
      try await place.answer("/api/search?query=three%20red%20circles&\(filter)").results.count
    }
    let wanted = [
      ("since=2000", 3), ("since=9998", 0), ("until=1999-12-31", 0), ("until=9998", 3), ("camera=pixel", 0),
      ("near=48.14,11.58,20", 0), ("in=\(place.folder)/pictures", 3),
      ("in=\(place.folder)/pictures/below", 0),
    ]
    for (filter, expected) in wanted {
      let found = try await count(filter)
      #expect(found == expected, "\(filter)")
    }
    let body = "{\"query\":\"a circle\",\"in\":\"\(place.folder)/pictures\",\"since\":\"2000\"}"
    let found = try await place.answer("/api/search", body).results
    #expect(found.count == 3)
  }

  @Test func refusalsNameTheFilter() async throws {
    let place = try await Place()
    // What a client names is looked for in the index alone.
    let link = "\(place.folder)/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(place.folder)/pictures")
    for filter in [
      "since=may", "until=2019-13", "near=here", "in=Pictures", "in=/nowhere", "in=\(link)",
      "in=/proc/self/cwd",
    ] {
      let answer = try await place.answer("/api/search?query=a%20circle&\(filter)")
      let text = String(decoding: answer.bytes, as: UTF8.self)
      let name = String(filter.prefix { $0 != "=" })
      #expect(answer.status == .badRequest, "\(filter)")
      #expect(text.contains("'\(name)' is the text"), "\(filter)")
    }
  }

  @Test func photographsComeAsTheyAreAndSmall() async throws {
    let place = try await Place()
    let id = try #require(
      try await place.answer("/api/search?query=three%20red%20circles").results.first?["id"])
    let whole = try await place.answer("/api/photos/\(id)")
    #expect(whole.status == .ok && whole.headers[.contentType] == "image/png")
    #expect(try whole.bytes == Array(Data(contentsOf: URL(filePath: Self.circles))))
    let small = try await place.answer("/api/photos/\(id)/thumbnail")
    #expect(small.headers[.contentType] == "image/jpeg" && small.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(small.headers[.eTag] != whole.headers[.eTag])
    for (path, answer) in [("/api/photos/\(id)", whole), ("/api/photos/\(id)/thumbnail", small)] {
      #expect(answer.headers[.xContentTypeOptions] == "nosniff")
      let known = try await place.answer(path, headers: [.ifNoneMatch: answer.headers[.eTag] ?? ""])
      #expect(known.status == .notModified && known.bytes.isEmpty)
    }
  }

  @Test func nothingElseIsHandedOut() async throws {
    let place = try await Place()
    for id in ["0", "-1", "x", "99999999999999999999", "%2Fetc%2Fpasswd", "..%2F..%2Fetc%2Fpasswd", "1.0"] {
      for path in ["/api/photos/\(id)", "/api/photos/\(id)/thumbnail"] {
        #expect(try await place.answer(path).status == .notFound, "\(path)")
      }
    }
    let id = try #require(
      try await place.answer("/api/search?query=three%20red%20circles").results.first?["id"])
    let file = "\(place.folder)/pictures/three-red-circles.png"
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/etc/passwd")
    for path in ["/api/photos/\(id)", "/api/photos/\(id)/thumbnail"] {
      let answer = try await place.answer(path)
      #expect(answer.status == .notFound)
      #expect(!String(decoding: answer.bytes, as: UTF8.self).contains(place.folder))
    }
  }

  @Test func refusalsSayWhatIsWrong() async throws {
    let place = try await Place()
    #expect(try await place.answer("/api/search").status == .badRequest)
    #expect(try await place.answer("/api/search", #"{"query":[""]}"#).status == .badRequest)
    #expect(try await place.answer("/api/search", #"{"image":"bm8gcGljdHVyZQ=="}"#).status == .badRequest)
    #expect(try await place.answer("/api/search", #"{"like":["99"]}"#).status == .notFound)
    #expect(try await place.answer("/api/search?query=a", hasPhotos: false).status == .notFound)
  }

  /// As those of every other route.
  @Test func picturesHaveTheirLimits() async throws {
    let place = try await Place()
    let file = try Data(contentsOf: URL(filePath: Self.circles)).base64EncodedString()
    var pixels = ServingLimits.patient, waiting = ServingLimits.patient
    pixels.images.pixels = 1
    waiting.waitingPixels = 1
    for limits in [pixels, waiting] {
      let refused = try await place.answer("/api/search", "{\"image\":\"\(file)\"}", limits: limits)
      #expect(refused.status == .contentTooLarge)
      let found = try await place.answer("/api/search?query=three%20red%20circles", limits: limits)
      #expect(found.status == .ok)
    }
  }

  /// However many pixels models take.
  @Test func picturesThatSearchesDoNotDecodeAreTooLarge() async throws {
    let place = try await Place()
    // A BMP of 10 000 by 10 000 pixels, none of which is there.
    var file: [UInt8] = [0x42, 0x4D]
    file += [UInt8](repeating: 0, count: 12)
    file += [40, 0, 0, 0, 0x10, 0x27, 0, 0, 0x10, 0x27, 0, 0, 1, 0, 24, 0]
    file += [UInt8](repeating: 0, count: 24)
    let body = "{\"image\":\"\(Data(file).base64EncodedString())\"}"
    var limits = ServingLimits.patient
    limits.images.pixels = 200_000_000
    let refused = try await place.answer("/api/search", body, limits: limits)
    #expect(refused.status == .contentTooLarge)
  }

  /// Their files are read, each once.
  @Test func photographsOfAQueryTakeRoomAsBodiesDo() async throws {
    let place = try await Place()
    let found = try await place.answer("/api/search?query=three%20red%20circles").results
    let (id, other) = (try #require(found.first?["id"]), try #require(found.last?["id"]))
    var options = ServerOptions()
    options.bodyBytesInAll = try Data(contentsOf: URL(filePath: Self.circles)).count + 100
    let once = try await place.answer("/api/search", "{\"like\":[\"\(id)\"]}", options: options)
    let twice = try await place.answer("/api/search?like=\(id)&like=0\(id)", options: options)
    #expect(once.status == .ok && twice.status == .ok && twice.bytes == once.bytes)
    let both = try await place.answer("/api/search?like=\(id)&like=\(other)", options: options)
    #expect(both.status == .contentTooLarge)
  }

  @Test func whatWaitsIsMeasured() async throws {
    let place = try await Place()
    let page = String(decoding: try await place.answer("/metrics").bytes, as: UTF8.self)
    #expect(page.contains("\napus_search_waiting_pixels 0\n"))
    let none = String(decoding: try await place.answer("/metrics", hasPhotos: false).bytes, as: UTF8.self)
    #expect(!none.contains("apus_search_waiting_pixels"))
  }

  @Test func anOverviewSaysWhetherThereIsAnIndex() async throws {
    let place = try await Place()
    let text = String(decoding: try await place.answer("/api/photos").bytes, as: UTF8.self)
    #expect(text.contains("\"photos\":3") && text.contains("scenes"))
    let none = String(decoding: try await place.answer("/api/photos", hasPhotos: false).bytes, as: UTF8.self)
    #expect(none == #"{"photos":0,"model":null}"#)
  }
}
