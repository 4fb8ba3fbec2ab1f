import CLibrary
import CommandSupport
import ProcessSeal

/// The permissions of this process by the kernel, as text and as JSON.
struct PrivacyReport {
  private let verification: Privacy.Verification

  init(_ verification: Privacy.Verification) { self.verification = verification }

  var isPassing: Bool { verification.isPassing }

  func print() {
    var table = Table([("", .left), ("", .left)])
    for (name, text) in facts { table.append([name, text]) }
    for attempt in verification.attempts { table.append([attempt.name, attempt.words]) }
    table.print()
    StandardStreams.printLine("\(verification.badge)")
  }

  private var facts: [(String, String)] {
    let report = verification.report
    let filtered = report.modes.filter { $0 == 2 }.count
    let sockets = report.sockets.map { "\($0.kind) (descriptor \($0.descriptor))" }
    return [
      ("sealed", report.isSealed ? "yes" : Seal.isWanted ? "no" : "no, as \(Seal.optionOut) says"),
      ("threads under a filter", "\(filtered) of \(report.modes.count)"),
      ("new privileges", report.hasNoNewPrivileges ? "none can be gained" : "can be gained"),
      ("open sockets", sockets.isEmpty ? "none" : sockets.joined(separator: ", ")),
    ]
  }

  var json: JSON {
    let report = verification.report
    let error: [JSON.Member] = isPassing ? [] : [("error", .string(verification.badge.text))]
    return .object(
      [
        ("passing", .bool(isPassing)), ("badge", .string(verification.badge.text)),
        ("sealed", .bool(report.isSealed)), ("seccomp_modes", .array(report.modes.map(JSON.integer))),
        ("seccomp_filters", report.filters.map(JSON.integer) ?? .null),
        ("no_new_privileges", .bool(report.hasNoNewPrivileges)),
        ("sockets", .array(report.sockets.map(json))), ("attempts", .array(verification.attempts.map(json))),
      ] + error + [JSON.madeBy])
  }

  private func json(_ socket: OpenSocket) -> JSON {
    .object([("descriptor", .integer(Int(socket.descriptor))), ("kind", .string(socket.kind))])
  }

  private func json(_ attempt: Privacy.Attempt) -> JSON {
    .object([
      ("name", .string(attempt.name)), ("refused", .bool(attempt.isRefused)),
      ("answer", .string(attempt.words)),
    ])
  }
}

extension Privacy.Attempt {
  /// The kernel's answer.
  fileprivate var words: String {
    switch answer {
    case .refused: "refused"
    case .unknown: "not known to the kernel"
    case .allowed: "OPEN"
    case .failed(let error): "OPEN: \(String(cString: strerror(error)))"
    }
  }
}
