/// What the machine did besides while something was measured.
package struct Conditions: Sendable, Hashable {
  /// The share of the time in which the measuring thread had no processor.
  package var waited: Double
  /// The processors' worth of time that other programs used; nil where it cannot be told.
  package var others: Double?
  package var processors: Int
  /// Threads of what was measured.
  package var threads: Int

  package init(waited: Double, others: Double?, processors: Int, threads: Int) {
    self.waited = waited
    self.others = others
    self.processors = processors
    self.threads = threads
  }

  /// A thread is interrupted for shorter times on a machine that does nothing else.
  private static let usualWait = 0.05
  /// Of a processor: what the system and idle programs use.
  private static let usualLoad = 0.2

  /// Whether others took processors that the measurement would have used: times then tell of them, too.
  package var isDisturbed: Bool {
    let free = Double(processors - threads)
    return waited > Self.usualWait || others ?? 0 > max(0, free) + Self.usualLoad
  }
}
