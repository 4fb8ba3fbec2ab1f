import Apus

/// Options in a file: each line is one as on the command line without the dashes, `port = 8000` or a bare `lazy`; lines
/// that begin with `#` are passed over.
public enum ConfigurationFile {
  /// The arguments with those of the file that `--config FILE` names put before them, so that the command line has the last
  /// word; options that may be given several times add up.
  /// - Throws: ``ApusError``: kind `argument` when no file follows, `file` when it cannot be read, `configuration` for a
  ///   line that is no option.
  public static func expanded(_ arguments: [String]) throws(ApusError) -> [String] {
    var rest: [String] = [], options: [String] = []
    var words = arguments[...]
    while let word = words.popFirst() {
      if word == "--config" {
        guard let path = words.popFirst() else {
          throw ApusError(.argument, "--config stands alone", expected: "a file after it")
        }
        options += try self.options(in: path)
      } else if word.hasPrefix("--config=") {
        options += try self.options(in: String(word.dropFirst("--config=".count)))
      } else {
        rest.append(word)
      }
    }
    return options + rest
  }

  private static func options(in path: String) throws(ApusError) -> [String] {
    let lines = try TextFile.read(path).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var options: [String] = []
    for (number, line) in lines.enumerated() {
      let line = line.trimming(while: \.isWhitespace)
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0.trimming(while: \.isWhitespace)) }
      guard let name = sides.first, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }),
        name.first?.isLetter == true, name != "config"
      else {
        throw ApusError(
          .configuration, "'\(line)' is no option", expected: "NAME = VALUE, or a NAME",
          at: "line \(number + 1)", file: path)
      }
      options.append(sides.count == 1 ? "--\(name)" : "--\(name)=\(sides[1])")
    }
    return options
  }
}
