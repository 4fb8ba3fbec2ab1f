import Foundation
import TestSupport
import Testing

/// What `bench` prints and writes.
@Suite(.enabled(if: CommandRun.isPossible))
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
    #expect(lines.count == 5)
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
    let events = try #require(
      try objects(String(contentsOfFile: trace, encoding: .utf8))[0]["traceEvents"] as? [[String: Any]])
    #expect(!events.isEmpty)
    var end = 0.0
    for event in events {
      let start = try #require(event["ts"] as? Double)
      #expect(start >= end)
      end = start + (try #require(event["dur"] as? Double))
    }
    let json = try objects(CommandRun(["bench", "model", model, "--runs", "30", "--json"]).output)
    let result = try #require((json[0]["results"] as? [[String: Any]])?.first)
    #expect(result["runs"] as? Int == 30)
    #expect(result["p50_ms"] as? Double ?? 0 <= result["p99_ms"] as? Double ?? 0)
  }

  @Test func aTowerOfAFolder() throws {
    let folder = try TemporaryFolder()
    let model = try folder.write("colour.tflite", ColourModel.bytes(softmax: true))
    #expect(try CommandRun(["bench", "model", model, "--part", "text"]).exitCode == 2)
    #expect(try CommandRun(["bench", "model", folder.path]).exitCode == 3)
  }
}
