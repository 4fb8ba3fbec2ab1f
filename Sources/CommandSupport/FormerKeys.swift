import JSONCoding

/// Keys of the JSON of `compare`, `inspect` and `run` as they were called before 0.2.0, when not all were in snake_case. For
/// one version their objects have a member under both; what lies under a former key has former keys alone. Other commands,
/// which had some of these keys in snake_case already, print no others.
package enum FormerKeys {
  /// From keys to what they were called.
  package static let names: [String: String] = Dictionary(
    uniqueKeysWithValues: former.map { (snakeCase($0), $0) })

  private static let former = [
    "arenaBytes", "bothRight", "bothWrong", "calibrationInterval", "designEffect", "expectedError",
    "firstDivergence", "furtherPairs", "furtherSamples", "greatestError", "greatestLoss", "leastLoss",
    "loadMilliseconds", "macroF1", "macroF1Interval", "meanError", "memoryBytes", "multiplyAccumulates",
    "notFinite", "onlyBaselineRight", "onlyOtherRight", "otherLoad", "outOfRange", "perSecond",
    "signalToNoise", "weightBytes", "workspaceBytes", "zeroPoints",
  ]

  /// Keys that no release printed, nor those below them.
  private static let later: Set = ["certainty"]

  /// Keys of now, and beside them the former ones.
  package static var both: JSONKeys {
    JSONKeys { key in
      guard let former = names[key] else { return [(key, later.contains(key) ? nil : Self.both)] }
      return [(key, nil), (former, formerly)]
    }
  }

  private static var formerly: JSONKeys {
    JSONKeys { key in later.contains(key) ? [(key, nil)] : [(names[key] ?? key, Self.formerly)] }
  }

  /// `weight_bytes` of `weightBytes`.
  private static func snakeCase(_ key: String) -> String {
    key.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : String($1) }
  }
}
