import ProcessSeal

/// The seal of a program: on, but where `--no-seal` stands among the arguments of whatever command.
package enum Seal {
  package static let optionOut = "--no-seal"

  /// Whether the arguments leave the seal on.
  package static let isWanted = !Arguments.all.prefix { $0 != "--" }.contains(optionOut)

  /// Arguments without the option, which stands before `--` wherever it likes.
  package static func removed(from arguments: [String]) -> [String] {
    let options = arguments.prefix { $0 != "--" }
    return options.filter { $0 != optionOut } + arguments.dropFirst(options.count)
  }

  /// Seals the process if that is wanted, and says where the kernel refuses.
  static func apply() {
    guard isWanted else { return }
    do { try Privacy.seal() } catch {
      StandardStreams.report("apus: WARNING: this process is not sealed from the network: \(error)")
    }
  }
}
