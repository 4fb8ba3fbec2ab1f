import Apus
import CLibrary
import CommandSupport
import TensorCore

/// A command that is a program of its own, beside this one or on the path, because most people do not need what it is made
/// of.
struct CompanionProgram {
  /// The command, and what `apus-` stands before in the program's name.
  let command: String
  /// The argument that requests help, before the rest.
  let help: String

  private var name: String { "apus-\(command)" }

  static let all = [
    CompanionProgram(command: "photos", help: "help"), CompanionProgram(command: "serve", help: "--help"),
  ]

  /// Puts a program in the place of this one where the arguments ask for it, `help` included. Its arguments are those
  /// bytes that this one was given.
  static func takeOver() {
    let arguments = Seal.removed(from: Arguments.all)
    for companion in all {
      let asks = arguments.first == companion.command
      guard asks || arguments.starts(with: ["help", companion.command]) else { continue }
      let rest = arguments.dropFirst(asks ? 1 : 2)
      let error = companion.replace(
        by: (Seal.isWanted ? [] : [Seal.optionOut]) + (asks ? [] : [companion.help]) + rest)
      StandardStreams.report("apus: \(error)")
      StandardStreams.exit(ExitStatus.badInputFile.rawValue)
    }
  }

  /// Returns only when that fails.
  private func replace(by arguments: [String]) -> ApusError {
    var words = ([name] + arguments).map { strdup(FileName.bytes($0)) } + [nil]
    defer { for word in words { free(word) } }
    let beside = FileSystem.resolved("/proc/self/exe").map { FileName.folder(of: $0) + "/\(name)" }
    if let beside { _ = beside.withFileName { execv($0, &words) } }
    execvp(name, &words)
    return ApusError(
      .file, "cannot be started: \(String(cString: strerror(errno)))", file: name,
      advice: "Install it next to apus; in a clone 'Tools/apus \(command)' builds it.")
  }
}

/// A copy of bytes for the C library, with a zero behind them.
private func strdup(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  let copy = malloc(bytes.count + 1)
  copy?.copyMemory(from: bytes, byteCount: bytes.count)
  copy?.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  return copy?.assumingMemoryBound(to: CChar.self)
}
