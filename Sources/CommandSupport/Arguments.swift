import CLibrary
import CProcess
import TensorCore

/// The arguments as the system has them: names of files may be any bytes; see ``FileName``.
package enum Arguments {
  package static let all: [String] = (1..<max(1, apus_argument_count())).compactMap { index in
    apus_argument(index).map { FileName.text(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// The arguments for the parser, which takes everything that begins with a dash for an option: a text that cannot be an
  /// option, such as `-5` or `- a list`, is joined to the option it belongs to.
  package static func tied(_ arguments: [String]) -> [String] {
    var tied: [String] = []
    // The option that the next argument, or each up to the next option, belongs to.
    var option: (name: String, takesMany: Bool)?
    for (index, argument) in arguments.enumerated() {
      guard argument != "--" else { return tied + arguments[index...] }
      if argument.hasPrefix("-"), argument != "-", !isText(argument) {
        option = textOptions[argument].map { (argument, $0) }
        tied.append(argument)
      } else if let (name, takesMany) = option {
        if !argument.hasPrefix("-") || argument == "-" {
          tied.append(argument)
        } else if tied.last == name {
          tied[tied.count - 1] = "\(name)=\(argument)"
        } else {
          tied.append("\(name)=\(argument)")
        }
        if !takesMany { option = nil }
      } else {
        tied.append(argument)
      }
    }
    return tied
  }

  /// The options whose values are texts, and whether many may follow.
  private static let textOptions = [
    "--text": true, "--with-text": true, "--label": false, "--labels": false, "--template": false,
  ]

  /// Whether what begins with a dash can only be a text: the names of options have no spaces in them, and are no
  /// numbers but `-0`.
  private static func isText(_ argument: String) -> Bool {
    argument.prefix { $0 != "=" }.contains(where: \.isWhitespace)
      || argument != "-0" && Double(argument) != nil
  }

  /// Advice for an argument that the parser took for an option; nil if `message` is about something else.
  package static func advice(on message: String) -> String? {
    if message.contains("Unknown option '-"), !message.contains("Unknown option '--") {
      return "What begins with - and is no option stands at the end, after --."
    }
    let given = zip(all, all.dropFirst()).first { name, value in
      // The next option is no value that was meant, unless that is a text.
      name.hasPrefix("--") && value.hasPrefix("-") && (textOptions[name] != nil || !value.hasPrefix("--"))
        && message.contains("Missing value for '\(name) ")
    }
    guard let (name, _) = given else { return nil }
    return textOptions[name] == nil
      ? "A value that begins with - is written \(name)=VALUE."
      : "A text that begins with - is written \(name)=TEXT."
  }
}
