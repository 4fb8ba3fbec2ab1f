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

  /// A run on a terminal of so many columns; what it prints there has its colours.
  init(_ arguments: [String], onTerminalOf columns: UInt16, environment: [String: String]) throws {
    let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(terminal) }
    var size = winsize(ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var (lock, number) = (CInt(0), CInt(0))
    // TIOCSPTLCK and TIOCGPTN, which are macros: unlocks the other end, and asks for its number.
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &lock) == 0, ioctl(terminal, 0x8004_5430, &number) == 0,
      ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0
    else { throw POSIXError(.ENXIO) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let printed = FileHandle(
      fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY), closeOnDealloc: false)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = printed
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The terminal ends when nobody has it open any more.
    try printed.close()
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = read(terminal, &part, part.count), count > 0 { bytes += part.prefix(count) }
    process.waitUntilExit()
    exitCode = process.terminationReason == .exit ? process.terminationStatus : -1
    output = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    messages = ""
  }

  /// A run whose standard output does not wait for its reader, who comes late.
  init(_ arguments: [String], lateReader: Void) throws {
    try self.init(Self.program, arguments, input: "", closesOutput: false, waits: false)
  }

  private init(
    _ program: String, _ arguments: [String], input: String, closesOutput: Bool, waits: Bool = true
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    if closesOutput { try standardOutput.fileHandleForReading.close() }
    if !waits {
      let end = standardOutput.fileHandleForWriting.fileDescriptor
      guard fcntl(end, F_SETFL, O_WRONLY | O_NONBLOCK) == 0 else { throw POSIXError(.EIO) }
    }
    try process.run()
    if !waits { Thread.sleep(forTimeInterval: 1) }
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
