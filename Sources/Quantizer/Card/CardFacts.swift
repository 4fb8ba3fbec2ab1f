import TensorCore

/// What the YAML head of a model's card says that holds for the same model in fewer bits too.
struct CardFacts {
  /// Lines of YAML, as they stand in the card: a key with its value, which may go on in the lines below it.
  let lines: [String]

  /// What does not depend on the weights' numbers: not figures (`model-index`, `metrics`), nor names of libraries and
  /// formats.
  private static let kept: Set = [
    "license", "license_name", "license_link", "language", "pipeline_tag", "base_model", "datasets",
  ]
  private static let byteLimit = 1 << 20

  /// - Parameter path: the card's; one that cannot be read says nothing.
  init(ofCard path: String) {
    guard let bytes = try? FileBytes.read(path, limit: Self.byteLimit) else {
      lines = []
      return
    }
    let all = String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard all.first == "---", let end = all.dropFirst().firstIndex(of: "---") else {
      lines = []
      return
    }
    var (kept, isKept) = ([String](), false)
    for line in all[1..<end] {
      if let first = line.first, first.isLetter {
        isKept = Self.kept.contains(String(line.prefix { $0 != ":" }))
      }
      if isKept { kept.append(String(line)) }
    }
    lines = kept
  }

  func has(_ key: String) -> Bool { lines.contains { $0.hasPrefix("\(key):") } }
}
