import CLibrary
import Models
import TensorCore

/// Shell patterns of the names of layers that stay floats.
struct LayerPatterns: Sendable {
  private let patterns: [String]
  private static let shown = 3

  init(_ patterns: [String] = []) { self.patterns = patterns }

  var isEmpty: Bool { patterns.isEmpty }

  func contains(_ name: String) -> Bool { patterns.contains { Self.matches($0, name) } }

  /// The pattern of a name and nothing else.
  static func pattern(_ name: String) -> String {
    name.map { "*?[\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  /// - Throws: ``ApusError`` of kind `argument`, with the names that are nearest, for a pattern that is none of them.
  func requireMatches(among names: [String]) throws(ApusError) {
    for pattern in patterns where !names.contains(where: { Self.matches(pattern, $0) }) {
      let plain = String(pattern.filter { !"*?[]".contains($0) })
      let near = NearestNames.find(plain, among: names, count: Self.shown).map { "'\($0.clipped)'" }
      throw ApusError(
        .argument, "no layer has a name of the pattern '\(pattern.clipped)'",
        expected: "names of layers to keep",
        advice: near.isEmpty ? nil : "The nearest names: \(near.joined(separator: ", ")).")
    }
  }

  private static func matches(_ pattern: String, _ name: String) -> Bool { fnmatch(pattern, name, 0) == 0 }
}
