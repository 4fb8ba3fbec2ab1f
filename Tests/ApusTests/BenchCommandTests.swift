import Foundation
import TestSupport
import Testing

/// What `bench` prints and writes.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct BenchCommandTests {
  private func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func kernelsAsJSON() throws {
    let run = try CommandRun([
      "bench", "kernels", "--shape", "softmax:4x8", "--shape", "gemm:2x8x4", "--seconds", "0.001", "--json",
    ])
    #expect(run.exitCode == 0)
    let lines = try objects(run.output)
    #expect(lines.count == 5 && lines.allSatisfy { $0["apus"] is String })
    let ceilings = try #require((lines[0]["ceilings"] as? [String: Any])?["f32"] as? [String: Double])
    #expect(ceilings["baseline"] ?? 0 > 0)
    let variants = try #require(lines[1]["variants"] as? [[String: Any]])
    #expect(variants.filter { $0["picked"] as? Bool == true }.count == 1)
    for variant in variants {
      let least = try #require(variant["min_ns"] as? Double)
      #expect(least > 0 && least <= variant["p95_ns"] as? Double ?? 0)
    }
  }

  @Test func kernelsAsTables() throws {
    let arguments = ["bench", "kernels", "--shape", "softmax:4x8", "--seconds", "0.001"]
    let markdown = try CommandRun(arguments)
    #expect(markdown.exitCode == 0)
    let rows = markdown.output.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(Set(rows.map { $0.filter { $0 == "|" }.count }) == [9])
    #expect(rows.filter { $0.contains("<--") }.count == 1)
    let csv = try CommandRun(arguments + ["--csv"]).output.split(separator: "\n")
    #expect(Set(csv.map { $0.filter { $0 == "," }.count }) == [11])
    #expect(csv.count == rows.count - 1)
  }

  @Test func aModelWithProfileAndTrace() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    let trace = folder.path + "/trace.json"
    let run = try CommandRun([
      "bench", "model", model, "--threads", "1,2", "--runs", "30", "--profile", "time", "--trace", trace,
    ])
    #expect(run.exitCode == 0)
    #expect(run.output.contains("p95"))
    #expect(run.output.contains("100.0 %"))
    _ = try tracks(of: trace)
    let json = try objects(CommandRun(["bench", "model", model, "--runs", "30", "--json"]).output)
    let result = try #require((json[0]["results"] as? [[String: Any]])?.first)
    #expect(result["runs"] as? Int == 30)
    for name in ["load_ms", "first_ms"] { #expect(result[name] as? Double ?? 0 > 0) }
    #expect(result["p50_ms"] as? Double ?? 0 <= result["p99_ms"] as? Double ?? 0)
  }

  /// Both threads have a part in the layers of a model for pictures of 224 × 224, unless other programs keep all
  /// processors busy: then none waits for the other.
  @Test func threadsOfATrace() throws {
    let folder = try TemporaryFolder()
    let trace = folder.path + "/trace.json"
    let model = Checkout.file("Weights/rice-leaf/rice_v1_float32.tflite").path
    let processors = ProcessInfo.processInfo.activeProcessorCount
    var names: Set<String> = []
    for _ in 0..<5 where names.count < 3 {
      let run = try CommandRun(["bench", "model", model, "--threads", "2", "--runs", "30", "--trace", trace])
      #expect(run.exitCode == 0)
      names = Set(try tracks(of: trace).values)
      #expect(names.isSuperset(of: ["nodes", "thread 1, which runs the model"]) && names.count <= 3)
    }
    var load = 0.0
    getloadavg(&load, 1)
    #expect(names.count == 3 || processors == 1 || load > Double(processors) / 2)
  }

  /// The names of a trace's tracks, all of which have events: these follow each other, and those of threads lie within
  /// their node's.
  private func tracks(of path: String) throws -> [Int: String] {
    let trace = try objects(String(contentsOfFile: path, encoding: .utf8))[0]
    let all = try #require(trace["traceEvents"] as? [[String: Any]])
    var names: [Int: String] = [:]
    for event in all where event["name"] as? String == "thread_name" {
      names[try #require(event["tid"] as? Int)] = (event["args"] as? [String: Any])?["name"] as? String
    }
    let events = try all.filter { $0["ph"] as? String == "X" }.map(TraceEvent.init)
    #expect(Set(names.keys) == Set(events.map(\.track)))
    for (_, track) in Dictionary(grouping: events, by: \.track) {
      let ordered = track.sorted { $0.start < $1.start }
      for (event, next) in zip(ordered, ordered.dropFirst()) { #expect(event.end <= next.start + 0.001) }
    }
    let nodes = events.filter { names[$0.track] == "nodes" }
    for node in nodes {
      let parts = events.filter { $0.node == node.node && $0.track != node.track }
      #expect(parts.allSatisfy { node.start <= $0.start + 0.001 && $0.end <= node.end + 0.001 })
      #expect(
        parts.reduce(0) { $0 + $1.end - $1.start } <= Double(names.count - 1) * (node.end - node.start) + 0.01
      )
    }
    #expect(!nodes.isEmpty)
    return names
  }

  /// Times in microseconds.
  private struct TraceEvent {
    let (track, node): (Int, Int)
    let (start, end): (Double, Double)

    init(_ event: [String: Any]) throws {
      track = try #require(event["tid"] as? Int)
      node = try #require((event["args"] as? [String: Any])?["node"] as? Int)
      start = try #require(event["ts"] as? Double)
      end = start + (try #require(event["dur"] as? Double))
    }
  }

  @Test func aMedianAboveWhatItMayBeFails() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    let arguments = ["bench", "model", model, "--runs", "5", "--threads", "1"]
    let kept = try CommandRun(arguments + ["--at-most", "60000", "--json"])
    #expect(kept.exitCode == 0, "\(kept.messages)")
    let record = try objects(kept.output)[0]
    #expect(record["at_most_ms"] as? Double == 60000 && record["error"] == nil)
    #expect((record["results"] as? [[String: Any]])?.first?["within"] as? Bool == true)
    let missed = try CommandRun(arguments + ["--at-most", "1e-9"])
    #expect(missed.exitCode == 5 && missed.output.contains("p95"), "\(missed.messages)")
    #expect(missed.messages.contains("the median run on 1 thread takes"), "\(missed.messages)")
    let failed = try objects(CommandRun(arguments + ["--at-most", "1e-9", "--json"]).output)[0]
    #expect((failed["error"] as? String)?.contains("--at-most") == true)
    #expect((failed["results"] as? [[String: Any]])?.first?["within"] as? Bool == false)
    for bad in ["0", "nan", "inf"] {
      #expect(try CommandRun(arguments + ["--at-most", bad]).exitCode == 2, "\(bad)")
    }
  }

  @Test func tooManyThreadsAreCutDownAndSaidSo() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    let run = try CommandRun(["bench", "model", model, "--runs", "5", "--threads", "1,4096,4095", "--json"])
    #expect(run.exitCode == 0 && run.messages.contains("4096 threads asked for"), "\(run.messages)")
    let results = try #require(try objects(run.output)[0]["results"] as? [[String: Any]])
    let threads = results.compactMap { $0["threads"] as? Int }
    #expect(threads.first == 1 && Set(threads).count == threads.count && threads.count <= 2)
    let kernels = try CommandRun([
      "bench", "kernels", "--shape", "softmax:4x8", "--seconds", "0.001", "--threads", "4096",
    ])
    #expect(kernels.exitCode == 0 && kernels.messages.contains("4096 threads asked for"))
  }

  @Test func aTowerOfAFolder() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    #expect(try CommandRun(["bench", "model", model, "--part", "text"]).exitCode == 2)
    #expect(try CommandRun(["bench", "model", folder.path]).exitCode == 3)
  }
}
