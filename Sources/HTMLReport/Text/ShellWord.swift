/// Arguments as they are typed.
package enum ShellWord {
  /// An argument as a shell takes it.
  package static func quoted(_ argument: String) -> String {
    let isPlain =
      !argument.isEmpty && argument.allSatisfy { $0.isLetter || $0.isNumber || "-_./=@:,+".contains($0) }
    return isPlain ? argument : "'" + argument.replacing("'", with: #"'\''"#) + "'"
  }
}
