import Apus
import ApusPhotos
import CLibrary
import CommandSupport
import TensorCore

/// Says how an indexing goes on, on standard error, and at its end what was done.
final class IndexReport: Sendable {
  private struct State {
    var progress = IndexProgress()
    var hasLine = false
    var lastLine = ContinuousClock.now
  }

  private let isJSON: Bool
  private let isTerminal = StandardStreams.errorIsTerminal
  private let state = Lock(State())

  init(isJSON: Bool) { self.isJSON = isJSON }

  func add(_ event: IndexEvent) {
    state.withLock { state in
      switch event {
      case .walking: break
      case .progress(let progress):
        state.progress = progress
        show(&state)
      case .failure(let path, let error): fail(path, error, &state)
      case .putAside(let files):
        say(
          "apus: \(files) \(files == 1 ? "picture was" : "pictures were") being read when an earlier run was ended, and come last",
          &state)
      case .kept(let folder, let reason):
        say("apus: \(folder): \(reason); what is known of it is kept", &state)
      }
    }
  }

  private func fail(_ path: String, _ error: ApusError, _ state: inout State) {
    if isJSON {
      StandardStreams.print(
        JSON.object(JSON.file(path) + [("error", .string(error.summary)), JSON.madeBy]))
    }
    say("apus: \(error.inFile(path).summary)", &state)
  }

  private func say(_ text: String, _ state: inout State) {
    clear(&state)
    StandardStreams.report(text)
  }

  private func clear(_ state: inout State) {
    if state.hasLine { StandardStreams.reportInPlace("\r\u{1B}[K") }
    state.hasLine = false
  }

  /// One line that is overwritten on a terminal, else a line every ten seconds.
  private func show(_ state: inout State) {
    let (progress, now) = (state.progress, ContinuousClock.now)
    guard progress.done < progress.total, isTerminal || now - state.lastLine > .seconds(10) else { return }
    state.lastLine = now
    var parts = ["\(progress.done) of \(progress.total) pictures"]
    if progress.rate > 0 { parts.append("\(Format.decimal(progress.rate, 1)) per second") }
    if let left = progress.secondsLeft { parts.append("\(Format.duration(left)) left") }
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    let line = parts.joined(separator: ", ")
    guard isTerminal else { return StandardStreams.report("apus: \(line)") }
    StandardStreams.reportInPlace("\r\u{1B}[K\(line)")
    state.hasLine = true
  }

  /// Reports an interrupted run.
  func stopped() {
    state.withLock { state in
      say(
        "apus: stopped: \(state.progress.done) of \(state.progress.total) are kept; the same command goes on",
        &state)
    }
  }

  func finish(_ progress: IndexProgress) {
    state.withLock { clear(&$0) }
    guard !isJSON else {
      StandardStreams.print(JSON.object(members(progress) + [JSON.madeBy]))
      return
    }
    var parts = ["\(progress.found) pictures: \(progress.unchanged) as they were"]
    parts.append("\(progress.embedded) embedded")
    if progress.known > 0 { parts.append("\(progress.known) moved or copied") }
    if progress.failed > 0 { parts.append("\(progress.failed) failed") }
    if progress.missing > 0 { parts.append("\(progress.missing) gone") }
    if progress.forgotten > 0 { parts.append("\(progress.forgotten) forgotten") }
    let time =
      progress.embedded > 0
      ? "; \(Format.decimal(progress.rate, 1)) per second in \(Format.duration(progress.seconds))" : ""
    StandardStreams.printLine(parts.joined(separator: ", ") + time)
    let others = [
      Self.passedOver(progress.videos, "video"), Self.passedOver(progress.raw, "raw photograph"),
    ].compactMap(\.self)
    guard !others.isEmpty else { return }
    let count = (progress.videos + progress.raw).reduce(0) { $0 + $1.count }
    StandardStreams.printText(
      "\(others.joined(separator: " and ")) \(count == 1 ? "was" : "were") not indexed")
  }

  /// `12 videos (.mov, .mp4)`; nil for none.
  private static func passedOver(_ endings: [EndingCount], _ noun: String) -> String? {
    let count = endings.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let names = endings.map { ".\($0.ending)" }.joined(separator: ", ")
    return "\(count) \(noun)\(count == 1 ? "" : "s") (\(names))"
  }

  private static func counts(_ endings: [EndingCount]) -> JSON {
    .object(endings.map { ($0.ending, .integer($0.count)) })
  }

  private func members(_ progress: IndexProgress) -> [JSON.Member] {
    [
      ("found", .integer(progress.found)), ("unchanged", .integer(progress.unchanged)),
      ("embedded", .integer(progress.embedded)), ("known", .integer(progress.known)),
      ("failed", .integer(progress.failed)), ("missing", .integer(progress.missing)),
      ("forgotten", .integer(progress.forgotten)), ("seconds", .number(progress.seconds)),
      ("per_second", .number(progress.rate)), ("videos", Self.counts(progress.videos)),
      ("raw_photographs", Self.counts(progress.raw)),
    ]
  }
}
