import Foundation

/// One run of the `apus` program that was built with the tests.
struct CommandRun {
  /// -1 when a signal ended it.
  let exitCode: Int32
  let output: String
  let messages: String

  /// The program beside the tests.
  static let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("apus").path

  static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// - Parameter closesOutput: whether nobody reads what it prints.
  init(_ arguments: [String], input: String = "", closesOutput: Bool = false) throws {
    try self.init(Self.program, arguments, input: input, closesOutput: closesOutput)
  }

  /// What a shell makes of a line in which `"$@"` is the program and its arguments.
  init(shell line: String, _ arguments: [String]) throws {
    try self.init("/bin/sh", ["-c", line, "sh", Self.program] + arguments, input: "", closesOutput: false)
  }

  private init(_ program: String, _ arguments: [String], input: String, closesOutput: Bool) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    if closesOutput { try standardOutput.fileHandleForReading.close() }
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try standardInput.fileHandleForWriting.close()
    // Messages are few enough for the pipe to hold until the output is read.
    let printed = closesOutput ? nil : try standardOutput.fileHandleForReading.readToEnd()
    let reported = try standardError.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    exitCode = process.terminationReason == .exit ? process.terminationStatus : -1
    output = String(decoding: printed ?? Data(), as: UTF8.self)
    messages = String(decoding: reported ?? Data(), as: UTF8.self)
  }
}
