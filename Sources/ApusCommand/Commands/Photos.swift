import Apus
import ArgumentParser
import CommandSupport
import Glibc
import TensorCore

/// `apus photos`, which is a program of its own: `apus-photos`, beside this one or on the path.
struct Photos: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Finds photographs by a sentence: index, search, watch, duplicates and more.")

  @Argument(parsing: .captureForPassthrough, help: "A command of apus photos, and its arguments.")
  var arguments: [String] = []

  /// Puts the program in the place of this one where the arguments ask for it, `help` included. Its arguments are those
  /// bytes that this one was given.
  static func takeOver() {
    let arguments = Seal.removed(from: Arguments.all)
    let asks = arguments.first == "photos"
    let asksForHelp = arguments.starts(with: ["help", "photos"])
    guard asks || asksForHelp else { return }
    let rest = arguments.dropFirst(asks ? 1 : 2)
    let error = replace(by: (Seal.isWanted ? [] : [Seal.optionOut]) + (asks ? [] : ["help"]) + rest)
    StandardStreams.report("apus: \(error)")
    StandardStreams.exit(ExitStatus.badInputFile.rawValue)
  }

  /// Returns only when that fails.
  private static func replace(by arguments: [String]) -> ApusError {
    var words = (["apus-photos"] + arguments).map { strdup(FileName.bytes($0)) } + [nil]
    defer { for word in words { free(word) } }
    let beside = FileSystem.resolved("/proc/self/exe").map { FileName.folder(of: $0) + "/apus-photos" }
    if let beside { _ = beside.withFileName { execv($0, &words) } }
    execvp("apus-photos", &words)
    return ApusError(
      .file, "cannot be started: \(String(cString: strerror(errno)))", file: "apus-photos",
      advice: "It is installed beside apus; in a clone 'Tools/apus photos' builds it.")
  }
}

/// A copy of bytes for the C library, with a zero behind them.
private func strdup(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
  let copy = malloc(bytes.count + 1)
  copy?.copyMemory(from: bytes, byteCount: bytes.count)
  copy?.storeBytes(of: 0, toByteOffset: bytes.count, as: UInt8.self)
  return copy?.assumingMemoryBound(to: CChar.self)
}
