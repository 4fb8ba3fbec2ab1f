import JSONCoding
import TensorCore

extension LabelFile {
  init(_ value: JSONValue) throws(ApusError) {
    switch value {
    case .array(let values) where values.contains(where: \.isObject): try self.init(entries: values)
    case .array(let values): self.init(labels: try Self.texts(values))
    case .object(let members) where members.contains(where: \.value.isObject):
      try self.init(entries: members)
    case .object(let members):
      if let labels = Self.onlyList(in: members) {
        self.init(labels: labels)
      } else {
        self.init(labels: try Self.indexed(members))
      }
    default: throw ApusError(.configuration, "labels as \(value.kind)", expected: "a list or an object")
    }
  }

  /// The texts of an object of nothing but a list of them under `labels`. A class of that name has a number or an object.
  private static func onlyList(in members: [JSONValue.Member]) -> [String]? {
    guard members.count == 1, let member = members.first, member.key == "labels",
      case .array(let values) = member.value
    else { return nil }
    let texts = values.compactMap(\.string)
    return texts.count == values.count ? texts : nil
  }

  private static func texts(_ values: [JSONValue]) throws(ApusError) -> [String] {
    var labels: [String] = []
    for value in values {
      guard let label = value.string else {
        throw ApusError(.configuration, "label \(labels.count) is \(value.kind)", expected: "a text")
      }
      labels.append(label)
    }
    return labels
  }

  /// The labels of an object from index to label, or from label to index.
  private static func indexed(_ members: [JSONValue.Member]) throws(ApusError) -> [String] {
    var entries: [(index: Int, label: String)] = []
    let areLabels = members.allSatisfy { $0.value.string != nil }
    for member in members {
      if areLabels {
        guard let index = Int(member.key.text) else {
          throw ApusError(.configuration, "key \"\(member.key.clipped)\"", expected: "the index of a class")
        }
        entries.append((index, member.value.string ?? ""))
      } else {
        if case .array = member.value {
          throw ApusError(
            .configuration, "\"\(member.key.clipped)\" is \(member.value.kind)",
            expected: "the list of labels by itself: [\"a\", \"b\"]")
        }
        guard let index = member.value.int else {
          throw ApusError(
            .configuration, "\"\(member.key.clipped)\" is \(member.value.kind)",
            expected: "the index of a class for every label, or a label for every index")
        }
        entries.append((index, member.key.text))
      }
    }
    return try ordered(entries)
  }

  /// Labels by index: every index below the count once.
  private static func ordered(_ entries: [(index: Int, label: String)]) throws(ApusError) -> [String] {
    var labels = [String?](repeating: nil, count: entries.count)
    for (index, label) in entries {
      guard labels.indices.contains(index), labels[index] == nil else {
        throw ApusError(
          .configuration, "index \(index) of label \"\(label.clipped)\"",
          expected: "each of 0 to \(entries.count - 1) once, for \(entries.count) labels")
      }
      labels[index] = label
    }
    return labels.compactMap(\.self)
  }
}

extension LabelFile {
  /// - Parameter values: objects that name their labels; a text is a label by itself.
  private init(entries values: [JSONValue]) throws(ApusError) {
    var entries: [LabelEntry] = []
    for (place, value) in values.enumerated() {
      do {
        entries.append(try Self.entry(value))
      } catch {
        throw error.at("label \(place)")
      }
    }
    try self.init(entries)
  }

  private static func entry(_ value: JSONValue) throws(ApusError) -> LabelEntry {
    switch value {
    case .string(let label): return LabelEntry(label: label.text)
    case .object(let members):
      let entry = try LabelEntry(members)
      guard entry.label != nil else {
        throw ApusError(.configuration, "an object without \"label\"", expected: "one that names its class")
      }
      return entry
    default: throw ApusError(.configuration, value.kind, expected: "a text or an object")
    }
  }

  /// - Parameter members: from labels to objects.
  private init(entries members: [JSONValue.Member]) throws(ApusError) {
    var entries: [LabelEntry] = []
    for member in members {
      guard case .object(let said) = member.value else {
        throw ApusError(
          .configuration, "\"\(member.key.clipped)\" is \(member.value.kind)",
          expected: "an object for every label")
      }
      do throws(ApusError) {
        var entry = try LabelEntry(said)
        guard entry.label == nil else {
          throw ApusError(.configuration, "the key \"label\"", expected: "the label as the key of the object")
        }
        entry.label = member.key.text
        entries.append(entry)
      } catch {
        throw error.at("label \"\(member.key.clipped)\"")
      }
    }
    try self.init(entries)
  }

  private init(_ entries: [LabelEntry]) throws(ApusError) {
    let isIndexed = entries.contains { $0.index != nil }
    let indices = entries.enumerated().map { isIndexed ? $1.index ?? -1 : $0 }
    let labels = try Self.ordered(zip(indices, entries).map { ($0, $1.label ?? "") })
    var details: [Int: LabelDetails] = [:]
    for (index, entry) in zip(indices, entries) where entry.details != LabelDetails() {
      details[index] = entry.details
    }
    self.init(labels: labels, details: details)
  }
}

extension LabelFile {
  /// Whether JSON that makes no label file was meant as one for a model all the same, and is not some other program's:
  /// it has an entry for each class or for the last one, names a label, or what stands in it would be labels of as many.
  /// - Parameter labels: those that the model brings.
  package static func isMeant(_ value: JSONValue, forClasses count: Int, labels: [String] = []) -> Bool {
    let labels = Set(labels.map { ExactText($0) })
    let entries: [(label: ExactText?, index: Int?)]
    switch value {
    case .array(let values):
      entries = values.map { (($0.string ?? $0["label"]?.string).map { ExactText($0) }, $0["index"]?.int) }
    case .object(let members):
      let areIndices = members.allSatisfy { $0.value.int != nil }
      entries = members.map { member in
        let index =
          Int(member.key.text) ?? member.value["index"]?.int ?? (areIndices ? member.value.int : nil)
        return (member.value.string.map { ExactText($0) } ?? member.key, index)
      }
      let inner = members.compactMap { try? LabelFile($0.value).labels.count }
      if inner.contains(count) { return true }
    default: return false
    }
    return entries.count == count
      || entries.contains { $0.index == count - 1 || $0.label.map(labels.contains) ?? false }
  }

  /// The value of a file of JSON.
  /// - Throws: ``ApusError`` of kind `file` or `configuration`.
  package static func json(contentsOf path: String) throws(ApusError) -> JSONValue {
    try JSONValue.parse(body(FileBytes.read(path, limit: maximumByteCount)))
  }
}

extension JSONValue {
  package var isObject: Bool {
    if case .object = self { true } else { false }
  }
}
