import CLibrary

/// How far a long batch has come, on standard error: one line that is overwritten on a terminal, else a line
/// now and then.
package struct Progress {
  private var total: Int
  private let unit: String
  private let isTerminal = StandardStreams.errorIsTerminal
  private let start = ContinuousClock.now
  private var lastReport = ContinuousClock.now
  private var done = 0
  private var hasLine = false

  /// A batch shorter than this, in files, is reported on a terminal only.
  private static let longBatch = 200

  /// - Parameter unit: what is counted.
  package init(total: Int, unit: String = "files") {
    self.total = total
    self.unit = unit
  }

  /// Makes the batch longer.
  package mutating func expect(_ more: Int) { total += more }

  package mutating func advance() {
    done += 1
    let interval: Duration = isTerminal ? .seconds(0.2) : .seconds(10)
    let now = ContinuousClock.now
    guard total > 1, isTerminal || total >= Self.longBatch, now - lastReport >= interval,
      done < total
    else { return }
    lastReport = now
    let elapsed = (now - start) / .seconds(1)
    let rate = Double(done) / max(elapsed, 1e-3)
    let left = Format.duration(Double(total - done) / max(rate, 1e-9))
    let line = "\(done) of \(total) \(unit), \(Format.decimal(rate, 1)) per second, \(left) left"
    if isTerminal {
      StandardStreams.reportInPlace("\r\u{1B}[K\(line)")
      hasLine = true
    } else {
      StandardStreams.report("apus: \(line)")
    }
  }

  /// Takes the line away, so that results can be printed in its place.
  package mutating func clear() {
    guard hasLine else { return }
    StandardStreams.reportInPlace("\r\u{1B}[K")
    hasLine = false
  }
}
