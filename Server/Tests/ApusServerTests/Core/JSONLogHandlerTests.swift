import FoundationEssentials
import Logging
import Synchronization
import Testing

@testable import ApusServer

@Suite struct JSONLogHandlerTests {
  /// What was written.
  private final class Written: Sendable {
    private let all = Mutex<[UInt8]>([])
    var lines: [ArraySlice<UInt8>] { all.withLock { $0.split(separator: UInt8(ascii: "\n")) } }
    func add(_ bytes: [UInt8]) { all.withLock { $0 += bytes } }
  }

  private let written = Written()

  private func logger(_ provider: Logger.MetadataProvider? = nil) -> Logger {
    Logger(label: "apus") { [written] label in
      var handler = JSONLogHandler(label: label) { written.add($0) }
      handler.metadataProvider = provider
      return handler
    }
  }

  private func objects() throws -> [JSONValue] {
    try written.lines.map { try JSONValue.parse(body: Array($0)) }
  }

  @Test func everyLineIsAnObject() throws {
    let begin = Date.now
    logger().info("GET /a\n\"b\"\u{1}")
    logger().error("b", metadata: ["model": "m"])
    let objects = try objects()
    #expect(objects.map { $0["message"]?.string } == ["GET /a\n\"b\"\u{1}", "b"])
    #expect(objects.map { $0["level"]?.string } == ["info", "error"])
    #expect(objects.map { $0["label"]?.string } == ["apus", "apus"])
    #expect(objects.map { $0["metadata"]?["model"]?.string } == [nil, "m"])
    for object in objects {
      let text = try #require(object["time"]?.string)
      let time = try Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
      #expect(text.hasSuffix("Z") && time >= begin - 1 && time <= .now + 1)
    }
  }

  @Test func metadataKeepTheirKinds() throws {
    logger().info(
      "a",
      metadata: [
        "status": .stringConvertible(200), "ms": .stringConvertible(1.5), "isLast": .stringConvertible(true),
        "text": "200", "list": ["x", .stringConvertible(2)], "object": ["key": "value"],
      ])
    let expected = #"""
      {"isLast": true, "list": ["x", 2], "ms": 1.5, "object": {"key": "value"}, "status": 200, "text": "200"}
      """#
    #expect(try objects()[0]["metadata"] == JSONValue.parse(body: Array(expected.utf8)))
  }

  /// The nearest counts: what the line itself says, then what its task says, then what the logger always says.
  @Test func theNearestMetadataCount() throws {
    var logger = logger(Logger.MetadataProvider { ["a": "task", "b": "task", "c": "task"] })
    logger[metadataKey: "b"] = "logger"
    logger[metadataKey: "d"] = "logger"
    #expect(logger[metadataKey: "d"] == "logger")
    logger.info("x", metadata: ["a": "line"])
    let metadata = try objects()[0]["metadata"]
    #expect(["a", "b", "c", "d"].map { metadata?[$0]?.string } == ["line", "task", "task", "logger"])
  }

  @Test func whatIsBelowTheLevelIsLeftOut() throws {
    var logger = logger()
    logger.logLevel = .warning
    logger.info("a")
    logger.warning("b")
    #expect(try objects().map { $0["message"]?.string } == ["b"])
  }
}
