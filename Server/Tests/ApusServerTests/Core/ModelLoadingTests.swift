import ApusServing
import FoundationEssentials
import Logging
import ServingTestSupport
import Testing

@testable import ApusServer

/// What whoever runs a server is told of its models.
@Suite struct ModelLoadingTests {
  /// Clients are told of no folder.
  @Test func theLogSaysWhyAModelIsNotLoaded() async throws {
    let name = "apus-\(UInt64.random(in: 0 ... .max))"
    let folder = FileManager.default.temporaryDirectory.appending(path: name).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.copyItem(atPath: TestServer.fixtures + "/bert-sentence", toPath: folder)
    let models = try ModelServer([ServedModelOptions(folder, name: "sentence")], limits: .patient)
    try FileManager.default.removeItem(atPath: folder)
    let (lines, writes) = AsyncStream.makeStream(of: [UInt8].self)
    let logger = Logger(label: "test") { label in JSONLogHandler(label: label) { _ = writes.yield($0) } }
    let loading = ModelLoading(state: ServerState(models, ServerOptions()), logger: logger)
    try await loading.run()
    writes.finish()
    var log = ""
    for await line in lines { log += String(decoding: line, as: UTF8.self) }
    #expect(log.contains("model not loaded") && log.contains(name), "\(log)")
    guard case .failed(let reason) = models.models[0].state else {
      Issue.record("\(models.models[0].state)")
      return
    }
    #expect(!reason.contains(name))
  }
}
