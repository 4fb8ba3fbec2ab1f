import CLibrary
import JSONCoding
import Synchronization
import TensorCore

/// Standard output and standard error. The program ends quietly when the reader of standard output has gone, unless it was
/// asked for files too: see ``goOnWithoutReader()``.
package enum StandardStreams {
  /// To be called before anything else.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    // A stream closed by the parent would lend its number to the next file opened.
    // A read-only descriptor makes writing fail, because output that is lost is no success.
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
  }

  private static let goesOnWithoutReader = Atomic<Bool>(false)
  private static let isReaderGone = Atomic<Bool>(false)

  /// Has the program go on when the reader of standard output has gone, for files that it writes besides: what it prints is
  /// then dropped.
  package static func goOnWithoutReader() { goesOnWithoutReader.store(true, ordering: .relaxed) }

  /// Writes a line to standard output at once, so that results of a batch can be used while it runs. It is written as it
  /// is: for programs, or made printable already.
  package static func printLine(_ text: String) {
    printLine { output in
      for part in text.parts(ofLength: pipeLength) { output(String(part)) }
    }
  }

  /// Writes a line in the parts that `body` hands out, so that a long one need not be in memory as a whole. What `body`
  /// throws, it throws before the first part.
  package static func printLine<Failure>(
    inParts body: ((String) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes: [UInt8] = []
    try body { part in
      bytes += FileName.readable(part).utf8
      guard bytes.count >= pipeLength else { return }
      printBytes(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    printBytes(bytes + [UInt8(ascii: "\n")])
  }

  /// The capacity of a pipe.
  private static let pipeLength = 1 << 16

  /// Writes a JSON value on a line.
  /// - Parameter former: as `JSON.text(withFormerKeys:)` has it.
  package static func print(_ json: JSON, withFormerKeys former: Bool = false) {
    printLine { json.write(withFormerKeys: former, to: $0) }
  }

  /// Writes a line for people, in which names and contents of files cannot move a terminal's cursor nor begin a line of
  /// their own: see ``String/printable``.
  package static func printText(_ text: String) { printLine(text.printable) }

  /// Writes bytes to standard output as they are, such as paths for another program.
  package static func printBytes(_ bytes: [UInt8]) {
    guard !isReaderGone.load(ordering: .relaxed), !write(bytes, to: STDOUT_FILENO) else { return }
    guard errno == EPIPE else {
      report("apus: standard output cannot be written: \(String(cString: strerror(errno)))")
      exit(ExitStatus.badInputFile.rawValue)
    }
    guard goesOnWithoutReader.load(ordering: .relaxed) else { exit(0) }
    isReaderGone.store(true, ordering: .relaxed)
  }

  /// Writes a message to standard error, of one line or several. Names and contents of files in it cannot move a
  /// terminal's cursor.
  package static func report(_ text: String) { _ = write(text.printableLines + "\n", to: STDERR_FILENO) }

  /// Writes to standard error without a line break, and as it is: it may move the cursor.
  package static func reportInPlace(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  package static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  /// Ends the process without the destructors of C libraries, which worker threads may still be using.
  package static func exit(_ code: Int32) -> Never { _exit(code) }

  /// Writes text, in which names of files are as people can read them.
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    write(Array(FileName.readable(text).utf8), to: descriptor)
  }

  /// - Returns: whether all was written; `errno` says why not.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
  }
}
