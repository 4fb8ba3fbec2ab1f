import Apus

/// Names by which clients ask for models: in bodies, and in addresses, between whose slashes they may stand.
package enum ModelName {
  /// What stands behind a model's name in addresses, and would be taken for that.
  private static let reserved: Set<String> = ["ready", "infer", "config", "stats", "versions"]

  /// Refuses a name by which no client could ask for a model.
  /// - Throws: ``ApusError`` of kind `argument`.
  package static func require(_ name: String) throws(ApusError) {
    guard let problem = problem(of: name) else { return }
    // What cannot be seen is not printed.
    let shown = name.unicodeScalars.contains(where: isControl) ? "a name" : "the name '\(name.clipped)'"
    throw ApusError(
      .argument, "\(shown) has \(problem)", expected: "a name that can stand in an address",
      advice: "Give the model another name: --model NAME=PATH, or 'name' in the file of --models.")
  }

  private static func problem(of name: String) -> String? {
    if name.unicodeScalars.contains(where: isControl) { return "a control character in it" }
    let segments = name.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
    if segments.contains("") { return "an empty part" }
    if let dots = segments.first(where: { $0 == "." || $0 == ".." }) { return "'\(dots)' for a part of it" }
    if let last = segments.last, reserved.contains(last) {
      return "'\(last)' at its end, which addresses have behind a model's name"
    }
    // What stands behind it would be a version.
    return segments.dropLast().last == "versions" ? "'versions' before its last part" : nil
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
