import ApusService
import CommandSupport

/// A snapshot of a performance monitor as lines for people. Names and reasons are whatever a file says: what in them
/// would move the cursor or begin a line of its own is written out.
struct MonitorText {
  private let snapshot: PerformanceSnapshot

  init(_ snapshot: PerformanceSnapshot) { self.snapshot = snapshot }

  func print() {
    table.print()
    let memory = snapshot.memory.map { "memory of the process: \(Format.bytes($0.residentByteCount))" }
    let energy = snapshot.energy.map { "energy: \(Format.significant($0.joules, 4)) J" }
    for line in [memory, energy].compactMap(\.self) { StandardStreams.printLine(line) }
    for model in snapshot.models {
      if let failure = model.loadFailure {
        StandardStreams.printLine("not loaded: \(model.shownName): \(failure)".printable)
      }
    }
    for alert in snapshot.alerts { StandardStreams.printLine("alert: \(alert)".printable) }
  }

  private var table: Table {
    var table = Table([
      ("model", .left), ("runs", .right), ("errors", .right), ("target", .right), ("kept", .right),
      ("average", .right), ("50 %", .right), ("95 %", .right), ("99 %", .right), ("longest", .right),
      ("memory", .right),
    ])
    for model in snapshot.models {
      let times = model.all.stages[.total]
      let share = model.targetMilliseconds == nil ? nil : model.all.compliance
      table.append([
        model.shownName.printable, "\(model.all.runs)", "\(model.all.failures)",
        Self.text(model.targetMilliseconds),
        share.map { Format.decimal(100 * $0, 1) + " %" } ?? "–", Self.text(times?.averageMilliseconds),
        Self.text(times?.p50Milliseconds), Self.text(times?.p95Milliseconds),
        Self.text(times?.p99Milliseconds), Self.text(times?.maximumMilliseconds),
        model.memoryByteCount.map(Format.bytes) ?? "–",
      ])
    }
    return table
  }

  private static func text(_ milliseconds: Double?) -> String {
    milliseconds.map { Format.significant($0, 4) + " ms" } ?? "–"
  }
}
