import Apus
import Foundation
import TestSupport
import Testing

@testable import ApusService

/// A snapshot comes back from its file as it was, what is none is refused by name, and Prometheus gets the same numbers.
@Suite struct SnapshotTests {
  private let clock = FakeClock()

  private var monitor: PerformanceMonitor {
    let monitor = clock.monitor
    monitor.register("leaf", target: .milliseconds(50))
    monitor.register("never used")
    let recorder = monitor.recorder(for: "leaf")
    recorder.memoryByteCount = 300 << 20
    recorder.record(60, milliseconds: 40)
    recorder.record(60, milliseconds: 140)
    recorder.record(.decode, .microseconds(300))
    recorder.recordFailure()
    return monitor
  }

  @Test func filesComeBack() throws {
    let snapshot = monitor.snapshot(), folder = try TemporaryFolder()
    #expect(try PerformanceSnapshot(json: snapshot.json) == snapshot)
    try snapshot.write(to: folder.path + "/snapshot.json")
    #expect(try PerformanceSnapshot(contentsOf: folder.path + "/snapshot.json") == snapshot)
    #expect(snapshot.alerts.count == 1 && snapshot.models.count == 2)
    #expect(snapshot.models[0].distribution.map(\.runs) == [60, 60])
  }

  /// Programs that read files of 0.1.0 go on, and so do files that it wrote.
  @Test func keysHaveTheirFormerNamesToo() throws {
    let snapshot = monitor.snapshot()
    let text = String(decoding: snapshot.json, as: UTF8.self)
    for key in ["target_milliseconds", "targetMilliseconds", "recent_alerts", "p95_milliseconds"] {
      #expect(text.contains("\"\(key)\": "), "\(key)")
    }
    // Under a former key are former ones alone.
    let former = try #require(text.components(separatedBy: "\"recentAlerts\": ").last)
    #expect(former.contains("p95Milliseconds") && !former.contains("p95_milliseconds"))
    let (new, old) = (JSONEncoder(), JSONEncoder())
    new.keyEncodingStrategy = .convertToSnakeCase
    for encoder in [new, old] {
      #expect(try PerformanceSnapshot(json: Array(encoder.encode(snapshot))) == snapshot)
    }
    let names = String(decoding: try new.encode(snapshot), as: UTF8.self)
      .matches(of: /"([A-Za-z0-9_]+)":/).map { String($0.output.1) }
    #expect(names.count > 50 && names.allSatisfy { $0 == $0.lowercased() })
  }

  @Test func binsHoldTheirRuns() {
    let model = monitor.snapshot().models[0]
    for (bin, milliseconds) in zip(model.distribution, [40.0, 140]) {
      #expect(bin.lowerMilliseconds <= milliseconds && milliseconds <= bin.upperMilliseconds)
      #expect(bin.upperMilliseconds - bin.lowerMilliseconds <= bin.lowerMilliseconds / 128)
    }
  }

  @Test(arguments: [
    ("", "is not JSON"), ("[1]", "is not what it should be"), ("{}", "does not say its format"),
    (#"{"format":2}"#, "has format 2, expected format 1"), (#"{"format":1}"#, "is missing"),
    (#"{"format":1e400}"#, "not"), (String(repeating: "[", count: 100_000), "not"),
    ("\u{0}\u{1}", "is not JSON"),
  ])
  func whatIsNoSnapshotIsRefused(_ text: String, _ problem: String) throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("snapshot.json", text)
    let error = #expect(throws: ApusError.self) { try PerformanceSnapshot(contentsOf: file) }
    #expect(error?.kind == .configuration && error?.file == file)
    #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
  }

  /// Damage to any one value is refused with its place, or read as another value; it never traps.
  @Test func damagedFilesAreRefusedByPlace() throws {
    let text = String(decoding: monitor.snapshot().json, as: UTF8.self)
    let broken = text.replacing(#""runs": 60"#, with: #""runs": "x""#)
    #expect(broken != text)
    let error = #expect(throws: ApusError.self) { try PerformanceSnapshot(json: Array(broken.utf8)) }
    #expect(error?.location?.hasPrefix("models[0].distribution[0]") == true, "\(error?.description ?? "")")
    let negative = text.replacing(#""runs": 60"#, with: #""runs": -60"#)
    #expect(throws: ApusError.self) { try PerformanceSnapshot(json: Array(negative.utf8)) }
    #expect(throws: ApusError.self) { try PerformanceSnapshot(json: Array(text.utf8.dropLast(20))) }
    #expect(throws: ApusError.self) { try PerformanceSnapshot(contentsOf: "/nonexistent") }
  }

  @Test func prometheusHasTheSameNumbers() throws {
    let monitor = monitor
    monitor.recorder(for: "a \"b\"\\\n").record(1, milliseconds: 1)
    let lines = monitor.prometheus.split(separator: "\n").map(String.init)
    func value(_ start: String) -> String? {
      lines.first { $0.hasPrefix(start) }.flatMap { $0.split(separator: " ").last.map(String.init) }
    }
    let total = #"{model="leaf",stage="total""#
    #expect(value("apus_inference_seconds_count\(total)}") == "120")
    #expect(value("apus_inference_seconds_sum\(total)}") == "10.8")
    // 2²⁶ ns are 67 ms.
    #expect(value("apus_inference_seconds_bucket\(total),le=\"0.067108864\"}") == "60")
    #expect(value("apus_inference_seconds_bucket\(total),le=\"+Inf\"}") == "120")
    #expect(value(#"apus_inference_target_missed_total{model="leaf"}"#) == "60")
    #expect(value(#"apus_inference_failures_total{model="leaf"}"#) == "1")
    #expect(value(#"apus_model_memory_bytes{model="leaf"}"#) == "\(300 << 20)")
    #expect(value(#"apus_alert{model="leaf",severity="critical"}"#) == "1")
    #expect(lines.contains(#"apus_inference_seconds_count{model="a \"b\"\\\n",stage="total"} 1"#))
    let buckets = lines.filter { $0.hasPrefix("apus_inference_seconds_bucket\(total)") }.compactMap {
      $0.split(separator: " ").last.flatMap { Int($0) }
    }
    #expect(buckets == buckets.sorted() && buckets.count == 22)
  }
}
