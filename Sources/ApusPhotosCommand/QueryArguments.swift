import CommandSupport

/// The arguments of `search` for the parser, which takes what begins with a dash for an option.
enum QueryArguments {
  /// The minus sign of mathematics, which queries take as well.
  private static let minus = "\u{2212}"

  private static let optionsWithValues: Set<String> = [
    "--sentence", "--like", "--index", "--model", "--text-model", "--top", "--top-k", "--min-score",
    "--since", "--until",
    "--in", "--camera", "--near", "--larger-than", "--kind", "--threads", "--html",
  ]
  private static let shortOptions: Set<String> = ["-h", "-0", "-"]

  /// Ties values such as `-33.9,151.2,10` to their options, and has `-snow` begin with a minus sign.
  static func prepared(_ arguments: [String]) -> [String] {
    guard arguments.first == "search" else { return Arguments.tied(arguments) }
    var prepared: [String] = []
    var option: String?
    for (index, argument) in arguments.enumerated() {
      guard argument != "--" else { return prepared + arguments[index...] }
      let isDashed = argument.hasPrefix("-") && !argument.hasPrefix("--")
      if let name = option, isDashed {
        prepared[prepared.count - 1] = "\(name)=\(argument)"
      } else if isDashed, !shortOptions.contains(argument) {
        prepared.append(minus + argument.dropFirst())
      } else {
        prepared.append(argument)
      }
      option = option == nil && optionsWithValues.contains(argument) ? argument : nil
    }
    return prepared
  }
}
