import ArgumentParser
import Foundation
import InferenceCommands
import TestSupport
import Testing

/// What a line of 60 MB costs the commands that take texts, each in a process of its own.
@Suite("Memory of long lines")
struct LongLineTests {
  private static let length = 60_000_000

  /// Runs a command, of which `-` reads the line and `FILE` is a file that has it.
  /// - Returns: the bytes that it took, for each of the line's.
  private static func cost(_ arguments: [String], length: Int) async throws -> Double {
    let folder = try TemporaryFolder()
    let part = "The heart is of normal size, and the lungs are clear. "
    let file = folder.path + "/line.txt"
    try folder.write("line.txt", "")
    let writing = try #require(FileHandle(forWritingAtPath: file))
    for _ in 0..<length / part.utf8.count { try writing.write(contentsOf: Data(part.utf8)) }
    try writing.close()
    // What the test process itself prints is not read.
    guard dup2(open(file, O_RDONLY), STDIN_FILENO) == STDIN_FILENO,
      dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO) == STDOUT_FILENO
    else { throw POSIXError(.EIO) }
    let type = try #require(
      InferenceCommands.all.first { $0.configuration.commandName == arguments.first })
    var command = try type.parseAsRoot(arguments.dropFirst().map { $0 == "FILE" ? file : $0 })
    let memory = PeakMemory()
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
    return Double(memory.byteCount) / Double(length)
  }

  /// Ends the process: with 1 where a command costs more, or fails. What it takes for a short line is done before.
  private static func measure(_ commands: [[String]], bound: Double) async -> Never {
    for arguments in commands {
      do {
        _ = try await cost(arguments, length: 1000)
        let cost = try await cost(arguments, length: length)
        if cost < bound { continue }
        FileHandle.standardError.write(Data("\(arguments): \(cost) bytes for each of the line\n".utf8))
      } catch {
        FileHandle.standardError.write(Data("\(arguments): \(error)\n".utf8))
      }
      exit(1)
    }
    exit(0)
  }

  /// Three times its bytes, and 32 MB.
  @Test func ofTextsForModels() async {
    await #expect(processExitsWith: .success) {
      let (sentence, classifier) = (
        Checkout.modelFolder("bert-sentence"), Checkout.modelFolder("bert-classifier")
      )
      await Self.measure(
        [
          ["embed", "--model", sentence, "--text", "-"],
          ["embed", "--model", sentence, "--json", "--text", "-"],
          ["embed", "--model", Checkout.modelFolder("siglip"), "--text", "-"],
          ["similarity", "--model", sentence, "--text", "-", "a"],
          ["similarity", "--model", sentence, "--json", "--text", "-", "a"],
          ["classify-text", "--model", classifier, "-"],
          ["classify-text", "--model", classifier, "--json", "-"],
        ], bound: 3.5)
    }
  }

  /// All tokens are listed, 0.54 for each byte: what the ids take, and twice the line.
  @Test func ofListsOfTokens() async {
    await #expect(processExitsWith: .success) {
      let model = Checkout.modelFolder("bert-sentence")
      await Self.measure(
        [[], ["--count"], ["--pieces"], ["--json"], ["--pad"]].map { ["tokenize", "--model", model] + $0 },
        bound: 12)
    }
  }
}
