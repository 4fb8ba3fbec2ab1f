import CLibrary
import TensorCore

/// Bars of one width beside scores.
package struct ScoreBars {
  /// Characters of a bar: below the least it says too little, above the greatest nothing more.
  private static let widths = 8...32
  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  private let width: Int
  private let hasColours: Bool
  private let isUncertain: Bool

  /// - Parameters:
  ///   - terminal: nil where there is none.
  ///   - others: characters that the rest of the longest line takes.
  /// - Returns: nil where there is no room.
  package init?(on terminal: Terminal? = .output, besides others: Int, isUncertain: Bool = false) {
    guard let terminal, terminal.columns - others >= Self.widths.lowerBound else { return nil }
    width = min(terminal.columns - others, Self.widths.upperBound)
    hasColours = terminal.hasColours
    self.isUncertain = isUncertain
  }

  /// The bar of a share of 1, filled up with spaces to the width of all.
  package func bar(_ share: Float) -> String {
    let eighths = Int((Double(min(max(share, 0), 1)) * Double(width * 8)).rounded())
    let bar = String(repeating: "█", count: eighths / 8) + Self.eighths[eighths % 8]
    let filled = bar + String(repeating: " ", count: width - bar.count)
    return hasColours ? "\u{1B}[\(isUncertain ? 33 : 36)m\(filled)\u{1B}[0m" : filled
  }
}

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
