import Apus
import ArgumentParser
import Networks
import TensorCore

/// The `--threads` option.
package struct Threads: ParsableArguments {
  @Option(help: "Threads to use. Default: all processors this process may use.")
  package var threads: Int?

  package init() {}

  package func validate() throws {
    if let threads, threads < 1 {
      throw ValidationError("--threads \(threads): it takes at least 1 thread.")
    }
  }

  /// The number in effect; more than the process may use are cut down, which is said.
  package func resolve() -> Int {
    let threads = ModelOptions.effectiveThreads(threads)
    if let asked = self.threads, asked > threads {
      StandardStreams.report("apus: \(asked) threads asked for; this process may use \(threads), and will.")
    }
    return threads
  }
}
