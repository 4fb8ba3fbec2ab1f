import Glibc
import TensorCore

/// What follows the program's name, as the system has it: names of files may be any bytes, see ``FileName``.
enum Arguments {
  static let all: [String] = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
    CommandLine.unsafeArgv[index].map { FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }
}
