import CLibrary
import TensorCore

/// The terminal that results are printed on.
package struct Terminal {
  /// Characters of a line.
  package let columns: Int
  package let hasColours: Bool

  /// Nil where standard output is none, or one that shows plain lines only.
  package static let output: Terminal? = {
    let kind = EnvironmentVariable.terminal.value() ?? "dumb"
    guard isatty(STDOUT_FILENO) == 1, kind != "dumb" else { return nil }
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return Terminal(
      columns: isKnown ? Int(size.ws_col) : 80, hasColours: EnvironmentVariable.noColour.value() == nil)
  }()
}
