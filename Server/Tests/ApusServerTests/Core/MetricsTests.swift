import Testing

@testable import ApusServer

/// The page of measurements keeps the rules that `promtool check metrics` holds it to.
@Suite struct MetricsTests {
  @Test func metricsAreOfTheirTypes() async throws {
    let server = try TestServer.shared.get()
    #expect(try await server.post("/embed", #"{"inputs":"a cat"}"#).status == 200)
    var types: [Substring: Substring] = [:], told: Set<Substring> = [], samples: Set<Substring> = []
    for line in try await server.get("/metrics").text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      if line.hasPrefix("# HELP ") {
        told.insert(words[2])
      } else if line.hasPrefix("# TYPE ") {
        #expect(types.updateValue(words[3], forKey: words[2]) == nil, "\(words[2]) twice")
      } else {
        let name = line.prefix { $0 != "{" && $0 != " " }
        let suffixes = ["_bucket", "_sum", "_count"]
        let family = suffixes.first { name.hasSuffix($0) && types[name.dropLast($0.count)] == "histogram" }
          .map { name.dropLast($0.count) }
        let type = try #require(types[family ?? name], "\(name)")
        samples.insert(family ?? name)
        // Labels of these names have a meaning in types of their own.
        #expect(!line.contains("quantile=\"") || type == "summary", "\(line)")
        #expect(!line.contains(",le=\"") || type == "histogram", "\(line)")
        #expect(family != nil || type != "histogram", "\(line)")
        #expect(name.hasSuffix("_total") == (type == "counter"), "\(line)")
      }
    }
    #expect(told == Set(types.keys) && samples.isSubset(of: told))
    #expect(types["apus_inference_quantile_seconds"] == "summary")
    #expect(samples.contains("apus_inference_quantile_seconds"))
  }
}
