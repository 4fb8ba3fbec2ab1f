import ApusService
import ApusServing
import FoundationEssentials
import Logging
import ServingTestSupport
import Testing

@testable import ApusServer

/// What the log has of models beside requests.
@Suite struct ModelLogTests {
  private let written: AsyncStream<[UInt8]>
  private let logger: Logger

  init() {
    let (lines, writes) = AsyncStream.makeStream(of: [UInt8].self)
    written = lines
    logger = Logger(label: "test") { label in JSONLogHandler(label: label) { _ = writes.yield($0) } }
  }

  /// The lines up to one that it is waited for, that one included.
  private func found(until isLast: (JSONValue) -> Bool) async throws -> [JSONValue] {
    var all: [JSONValue] = []
    for await bytes in written {
      let line = try JSONValue.parse(body: bytes)
      all.append(line)
      if isLast(line) { break }
    }
    return all
  }

  /// Also where a model is opened again, in another form or anew.
  @Test(.timeLimit(.minutes(20))) func whatIsPassedOverIsLoggedOnce() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "apus-\(UInt64.random(in: 0 ... .max))"
    ).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.copyItem(atPath: TestServer.fixtures + "/bert-classifier", toPath: folder)
    try Data("[1]".utf8).write(to: URL(filePath: folder + "/meta.json"))
    let models = try ModelServer(
      ["stars", "last"].map { ServedModelOptions(folder, name: $0) }, limits: .patient)
    let log = ModelLog(models, logger)
    let work = Task { try await log.run() }
    defer { work.cancel() }
    let (stars, last) = (models.models[0], models.models[1])
    try await stars.load()
    await stars.unload()
    try await stars.load()
    try await last.load()
    let lines = try await found { $0["metadata"]?["model"]?.string == "last" }
    #expect(lines.map { $0["metadata"]?["model"]?.string } == ["stars", "last"])
    for line in lines {
      #expect(line["message"]?.string == "model note" && line["level"]?.string == "warning")
      #expect(line["metadata"]?["note"]?.string?.contains("meta.json beside the model") == true)
    }
  }

  @Test(.timeLimit(.minutes(20))) func alertsAreLoggedAsTheyComeAndEnd() async throws {
    var options = ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars")
    options.latencyTarget = .milliseconds(20)
    let models = try ModelServer([options], limits: .patient)
    let log = ModelLog(models, logger)
    let work = Task { try await log.run() }
    defer { work.cancel() }
    let recorder = models.monitor.recorder(for: "stars")
    for _ in 0..<60 { recorder.record(.total, .seconds(1)) }
    // Looking twice finds one alert.
    for _ in 0..<2 { _ = models.monitor.snapshot() }
    recorder.target = nil
    _ = models.monitor.snapshot()
    let lines = try await found { $0["message"]?.string == "alert ended" }
    #expect(lines.map { $0["message"]?.string } == ["alert", "alert ended"])
    #expect(lines.map { $0["level"]?.string } == ["error", "notice"])
    let alert = lines[0]["metadata"]
    #expect(alert?["model"]?.string == "stars" && alert?["severity"]?.string == "critical")
    #expect(alert?["target_ms"]?.double == 20 && alert?["runs"]?.whole == 60)
    #expect(alert?["compliance"]?.double == 0 && alert?["p95_ms"]?.double ?? 0 > 900)
    #expect(lines[1]["metadata"]?["model"]?.string == "stars" && lines[1]["metadata"]?["runs"] == nil)
  }

  /// Which form answers is nothing that its results say.
  @Test(.timeLimit(.minutes(20))) func aFallbackThatAnswersIsLogged() async throws {
    let leaf = TestServer.root + "/Weights/rice-leaf/rice_v1_"
    var options = ServedModelOptions(leaf + "float32.tflite", name: "leaf")
    options.fallbacks = [ServedModelOptions.Fallback(path: leaf + "int8.tflite")]
    var limits = ServingLimits.patient
    // Between what the two take, 2.6 MiB of weights and 0.7.
    limits.modelBytes = 2 << 20
    let models = try ModelServer([options], limits: limits)
    let log = ModelLog(models, logger)
    let work = Task { try await log.run() }
    defer { work.cancel() }
    try await models.models[0].load()
    let lines = try await found { $0["message"]?.string == "model quality" }
    let line = try #require(lines.last)
    #expect(line["level"]?.string == "warning" && line["metadata"]?["model"]?.string == "leaf")
    #expect(line["metadata"]?["task"]?.string == "image-classification")
    #expect(line["metadata"]?["from"]?.string == "high" && line["metadata"]?["to"]?.string == "medium")
    #expect(line["metadata"]?["cause"]?.string == "memory")
  }

  /// What was told last counts, also where the form had left memory meanwhile.
  @Test(.timeLimit(.minutes(20))) func theModelItselfIsLoggedWhenItIsBack() async throws {
    let models = try ModelServer([ServedModelOptions(TestServer.fixtures + "/bert-classifier", name: "stars")]
    )
    let (events, happenings) = AsyncStream.makeStream(of: StoreEvent.self)
    let log = ModelLog(models, events: events, logger)
    let work = Task { try await log.run() }
    defer { work.cancel() }
    for quality: ModelQuality in [.high, .medium, .medium, .low, .low, .high] {
      happenings.yield(.loaded("stars (text-classification)", quality, time: .milliseconds(1), bytes: 1))
    }
    let lines = try await found { $0["metadata"]?["to"]?.string == "high" }
    #expect(lines.map { $0["metadata"]?["from"]?.string } == ["high", "medium", "low"])
    #expect(lines.map { $0["metadata"]?["to"]?.string } == ["medium", "low", "high"])
    #expect(lines.map { $0["level"]?.string } == ["warning", "warning", "notice"])
    #expect(lines.map { $0["metadata"]?["cause"]?.string } == ["memory", "memory", "recovery"])
  }
}
