import Apus
import CLibrary

/// How long the library takes for texts, without a server: a line of JSON, for `Benchmarks/serve-load`.
///
/// Usage: embed-times MODEL [PRECISION] < texts, one in a line.
@main struct EmbedTimes {
  static func main() async {
    do {
      try await measure(Array(CommandLine.arguments.dropFirst()))
    } catch {
      print("embed-times: \(error)")
      exit(1)
    }
  }

  private static func measure(_ arguments: [String]) async throws {
    guard let model = arguments.first else {
      print("usage: embed-times MODEL [PRECISION] < texts")
      exit(2)
    }
    var texts: [String] = []
    while let line = readLine() { texts.append(line) }
    var options = TextEmbedder.Options()
    options.inference.precision = arguments.dropFirst().first.flatMap(Precision.init)
    let embedder = try TextEmbedder(model, options: options)
    _ = try await embedder.embed(texts)
    var single: [Double] = []
    for text in texts {
      let begin = ContinuousClock.now
      _ = try await embedder.embed(text)
      single.append((ContinuousClock.now - begin) / .milliseconds(1))
    }
    single.sort()
    var rates: [Double] = []
    for _ in 0..<5 {
      let begin = ContinuousClock.now
      _ = try await embedder.embed(texts)
      rates.append(Double(texts.count) / ((ContinuousClock.now - begin) / .seconds(1)))
    }
    rates.sort()
    guard !single.isEmpty else { return }
    print(#"{"p50": \#(single[single.count / 2]), "rate": \#(rates[rates.count / 2])}"#)
  }
}
