import ArgumentParser
import CommandSupport
import Networks
import TensorCore

/// Numbers of threads separated by commas.
struct ThreadList: ExpressibleByArgument {
  /// As they were asked for.
  private let counts: [Int]

  init(_ count: Int) { counts = [count] }

  init?(argument: String) {
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let counts = words.compactMap { Int($0.trimmed) }.filter { 1...4096 ~= $0 }
    guard !counts.isEmpty, counts.count == words.count else { return nil }
    self.counts = counts
  }

  /// The numbers in effect, each once; more than the process may use are cut down, which is said.
  func resolve() -> [Int] {
    let possible = ModelOptions.effectiveThreads(.max)
    if let most = counts.max(), most > possible {
      StandardStreams.report("apus: \(most) threads asked for; this process may use \(possible), and will.")
    }
    var seen: Set<Int> = []
    return counts.map { ModelOptions.effectiveThreads($0) }.filter { seen.insert($0).inserted }
  }
}
