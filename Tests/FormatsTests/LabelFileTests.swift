import TensorCore
import Testing

@testable import Formats

/// Each form of labels gives one label for each index, or says what is wrong.
struct LabelFileTests {
  private func labels(_ text: String) throws -> [String] { try LabelFile(Array(text.utf8)).labels }

  private func refusal(_ bytes: [UInt8]) -> String {
    do throws(ApusError) {
      return "accepted as \(try LabelFile(bytes).labels)"
    } catch {
      return error.kind == .configuration ? error.description : "kind \(error.kind)"
    }
  }

  private func refusal(_ text: String) -> String { refusal(Array(text.utf8)) }

  @Test(arguments: [
    "cat\ndog\n", "cat\ndog", "cat\r\ndog\r\n", "\u{FEFF}cat\ndog\n", "cat\ndog\n\n \r\n", " cat\t\ndog ",
    #"["cat", "dog"]"#, " \n[\"cat\", \"dog\"]\n", #"{"0": "cat", "1": "dog"}"#, #"{"1": "dog", "0": "cat"}"#,
    #"{"cat": 0, "dog": 1}"#, #"{"dog": 1, "cat": 0}"#, "\u{FEFF}[\"cat\", \"dog\"]",
  ])
  func everyForm(text: String) throws {
    #expect(try labels(text) == ["cat", "dog"])
  }

  /// As Teachable Machine and others write them.
  @Test(arguments: [
    "0 cat\n1 dog\n", "0: cat\n1: dog", "0:cat\n1:dog", "0,cat\n1,dog", "0\tcat\n1\tdog", "0. cat\n1. dog",
    "00 cat\n01 dog", "0) cat\r\n1) dog\r\n", #"["0 cat", "1 dog"]"#, #"{"labels": ["0 cat", "1 dog"]}"#,
    #"{"1": "1: dog", "0": "0: cat"}"#, #"{"0 cat": 0, "1 dog": 1}"#,
    #"[{"label": "0 cat"}, {"label": "1 dog"}]"#,
  ])
  func numbersInOrderAreNoPartOfLabels(text: String) throws {
    #expect(try labels(text) == ["cat", "dog"])
  }

  @Test(arguments: [
    ["0 stars", "1 star", "2 stars"], ["1 star", "2 stars"], ["0 cat", "2 dog"], ["1 cat", "0 dog"],
    ["0 cat", "dog"], ["0-9", "1-9"], ["0-1", "1-2"], ["0.5 mm", "1.2 mm"], ["0", "1"], ["0x", "1y"],
    ["0 cat"],
    ["0 cat", "1"], ["0 10", "1 11"], ["0 ", "1 "],
  ])
  func otherNumbersAreOnesOfLabels(kept: [String]) throws {
    let trimmed = kept.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
    #expect(try labels(kept.joined(separator: "\n")) == trimmed)
  }

  /// é in one character and in two are two labels, each with its own details.
  @Test func labelsThatDifferByCompositionAreTwo() throws {
    let labels = ["\u{E9}", "e\u{301}"].map { ExactText($0) }
    let byLabel = try LabelFile(Array(#"{"\u00e9": 0, "e\u0301": 1}"#.utf8))
    #expect(byLabel.labels.map { ExactText($0) } == labels)
    let detailed = try LabelFile(
      Array(#"{"e\u0301": {"name": "two"}, "\u00e9": {"name": "one"}, "x": {"name": "x"}}"#.utf8))
    let details = try detailed.details(of: labels.map(\.text))
    #expect([0, 1].map { details[$0]?.name?.text() } == ["one", "two"])
    #expect(refusal(#"{"a": {"name": {"\u00e9": "x", "e\u0301": "y"}}}"#).contains("each language once"))
  }

  @Test func emptyLinesInsideCount() throws {
    #expect(try labels("cat\n\ndog") == ["cat", "", "dog"])
  }

  /// Labels hold commas too: the number of classes tells.
  @Test func oneLineWithCommasIsAListForAsManyClasses() throws {
    let file = try LabelFile(Array("Egyptian cat, tabby , dog,\n".utf8))
    let list = ["Egyptian cat", "tabby", "dog"]
    #expect(file.labels == ["Egyptian cat, tabby , dog,"])
    #expect(file.labels(forClasses: 3).labels == list && file.labels(forClasses: 1) == file)
    let error = #expect(throws: ApusError.self) { try file.alignment(classCount: 4) }
    #expect(error?.problem == "1 labels for a model of 4 classes")
    #expect(error?.advice?.contains("a list of 3") == true)
    let refusal = #expect(throws: ApusError.self) { try file.refuseList() }
    #expect(refusal?.problem.contains("one label, or 3") == true)
    for text in [#"["cat, dog"]"#, "cat, dog\nbird, fish", "cat,", "cat"] {
      let other = try LabelFile(Array(text.utf8))
      try other.refuseList()
      #expect(other.labels(forClasses: 2) == other)
    }
  }

  /// As tables have them.
  @Test func valuesOfTheOneLineMayStandInQuotes() throws {
    let lists: [String: [String]] = [
      #""a", "b" ,"c""#: ["a", "b", "c"], #""Smith, J",dog"#: ["Smith, J", "dog"],
      #""5"" disk", dog,"#: [#"5" disk"#, "dog"], #"5" disk,dog"#: [#"5" disk"#, "dog"],
    ]
    for (line, list) in lists {
      let file = try LabelFile(Array(line.utf8))
      #expect(file.labels == [line] && file.mayBeList)
      let found = file.labels(forClasses: list.count)
      #expect(found.labels == list && !found.mayBeList)
      let error = #expect(throws: ApusError.self) { try file.refuseList() }
      #expect(error?.problem.contains("one label, or \(list.count)") == true)
    }
  }

  @Test(arguments: ["a,,b,c", ",a,b,c,", #""a,b"#, #""a"x,b"#])
  func aLineWithoutAValueSomewhereIsNoList(line: String) throws {
    let file = try LabelFile(Array(line.utf8))
    for count in 1...5 { #expect(file.labels(forClasses: count) == file) }
    let error = #expect(throws: ApusError.self) { try file.alignment(classCount: 3) }
    #expect(error?.advice == "Its one line is a label: write one on each line.")
    let refusal = #expect(throws: ApusError.self) { try file.refuseList() }
    #expect(refusal?.problem.contains("one label, or several") == true)
  }

  @Test func textThatOnlyLooksLikeJSON() throws {
    #expect(try labels("[PAD]\n[CLS]\nword") == ["[PAD]", "[CLS]", "word"])
  }

  @Test func whatMakesNoSense() {
    #expect(refusal("").contains("no label, expected at least one"))
    #expect(refusal("\n\n").contains("no label"))
    #expect(refusal("[]").contains("no label"))
    #expect(refusal("{}").contains("no label"))
    #expect(refusal("[1, 2]").contains("label 0 is the number 1, expected a text"))
    #expect(
      refusal(#"{"0": "cat", "2": "dog"}"#).contains("index 2 of label \"dog\", expected each of 0 to 1 once")
    )
    #expect(refusal(#"{"1": "cat", "2": "dog"}"#).contains("index 2 of label \"dog\""))
    #expect(refusal(#"{"0": "cat", "00": "dog"}"#).contains("index 0 of label \"dog\""))
    #expect(refusal(#"{"0": "cat", "x": "dog"}"#).contains("key \"x\", expected the index of a class"))
    #expect(refusal(#"{"0": "cat", "-1": "dog"}"#).contains("index -1"))
    #expect(refusal(#"{"cat": 0, "dog": 0}"#).contains("index 0 of label \"dog\""))
    #expect(refusal(#"{"cat": 0, "dog": 1.5}"#).contains("\"dog\" is the number 1.5"))
    #expect(refusal(#"{"cat": 0, "1": "dog"}"#).contains("\"1\" is the text \"dog\""))
    #expect(refusal(#"{"0": "cat", "0": "dog"}"#).contains("the key \"0\" stands here twice"))
    #expect(refusal(#"{"a": 1e99}"#).contains("\"a\" is the number 1e99"))
    #expect(refusal([0x63, 0xE9, 0x0A]).contains("line 1: bytes that are not UTF-8 text"))
    #expect(refusal([0x63, 0, 0x0A]).contains("line 1: bytes that are not UTF-8 text"))
    #expect(refusal([0xFF, 0xFE, 0x63, 0]).contains("the labels are in UTF-16, expected UTF-8"))
    #expect(refusal([UInt8](repeating: 0x61, count: 1 << 24 + 1)).contains("16777217 bytes of labels"))
  }
}

/// Counts that differ by one are background only where that is sure.
struct LabelAlignmentTests {
  private func alignment(_ count: Int, _ classes: Int, first: String = "x") throws -> LabelAlignment {
    try LabelAlignment(labels: [first] + [String](repeating: "y", count: count - 1), classCount: classes)
  }

  @Test func theBackgroundOfImageNet() throws {
    #expect(try alignment(1000, 1000) == .exact)
    #expect(try alignment(1000, 1001) == .unlabelledBackground)
    #expect(try alignment(1001, 1000) == .surplusBackground)
    #expect(try alignment(6, 5, first: "Background") == .surplusBackground)
  }

  @Test(arguments: zip([6, 5, 999, 1002, 1], [5, 6, 1000, 1000, 1000])) func otherCounts(
    labels: Int, classes: Int
  ) {
    #expect {
      try alignment(labels, classes)
    } throws: { error in
      "\(error)".contains("\(labels) labels for a model of \(classes) classes, expected \(classes).")
    }
  }

  @Test func labelsOfClasses() {
    #expect(LabelAlignment.exact.label(ofClass: 3) == 3)
    #expect(LabelAlignment.unlabelledBackground.label(ofClass: 0) == nil)
    #expect(LabelAlignment.unlabelledBackground.label(ofClass: 3) == 2)
    #expect(LabelAlignment.surplusBackground.label(ofClass: 3) == 4)
  }
}

/// `meta.json` names the key that makes no sense.
struct ClassifierMetadataTests {
  private func refusal(_ text: String) -> String {
    do {
      return "accepted as \(try ClassifierMetadata(Array(text.utf8)))"
    } catch {
      return "\(error)"
    }
  }

  @Test func everyKeyIsOptional() throws {
    #expect(try ClassifierMetadata(Array("{}".utf8)) == ClassifierMetadata())
    let text =
      #"{"threshold_default": 0.5, "input_size": 224, "preprocessing": "p", "other": [1, {"x": null}]}"#
    #expect(
      try ClassifierMetadata(Array(text.utf8))
        == ClassifierMetadata(threshold: 0.5, inputSize: [224, 224], preprocessing: "p"))
    #expect(
      try ClassifierMetadata(Array(#"{"input_size": [96, 128], "preprocessing": null}"#.utf8))
        == ClassifierMetadata(inputSize: [96, 128]))
  }

  @Test(arguments: ["-1", "1.5", "-0.001", "\"0.5\"", "true", "[0.5]", "1e999"]) func threshold(value: String)
  {
    #expect(
      refusal("{\"threshold_default\": \(value)}").contains("\"threshold_default\": it is")
        && refusal("{\"threshold_default\": \(value)}").contains("expected a number from 0 to 1"))
  }

  @Test(arguments: [
    "threshold_defaut", "Threshold_Default", "threshold", "inputSize", "input_szie", "pre-processing",
    "preprocess",
    "temprature", "rejections",
  ])
  func keysThatAreNearlyKnownAreRefused(_ key: String) {
    #expect(refusal("{\"\(key)\": 0.99}").contains("the key \"\(key)\", expected"))
  }

  @Test(arguments: ["note", "input", "input_shape", "projection", "detection", "output_size", "temp", ""])
  func otherKeysArePassedOver(_ key: String) throws {
    #expect(try ClassifierMetadata(Array("{\"\(key)\": 0.99}".utf8)) == ClassifierMetadata())
  }

  @Test func whatACalibrationWroteIsRead() throws {
    let metadata = try ClassifierMetadata(
      Array(#"{"temperature": 0.5, "rejection": {"file": "rejection.apus", "threshold": -3.25}}"#.utf8))
    #expect(metadata.temperature == 0.5)
    #expect(metadata.rejection == .init(file: "rejection.apus", threshold: -3.25))
    let scales = try ClassifierMetadata(
      Array(#"{"rejection": {"file": "a", "threshold": 1, "features": "scales"}}"#.utf8))
    #expect(scales.rejection == .init(file: "a", threshold: 1, features: .scales))
  }

  @Test(arguments: ["0", "-1", "101", "\"1\"", "1e999"]) func temperature(value: String) {
    #expect(refusal("{\"temperature\": \(value)}").contains("\"temperature\": it is"))
  }

  /// Metadata lead to no other folder.
  @Test(arguments: [
    #""rejection.apus""#, "{}", #"{"file": "a"}"#, #"{"file": "a", "threshold": "1"}"#, #"{"threshold": 1}"#,
    #"{"file": "", "threshold": 1}"#, #"{"file": "../a", "threshold": 1}"#,
    #"{"file": "..", "threshold": 1}"#, #"{"file": "/a", "threshold": 1}"#,
    #"{"file": "a", "threshold": 1e300}"#, #"{"file": "a", "threshold": 1, "features": "first"}"#,
    #"{"file": "a", "threshold": 1, "features": 2}"#,
  ]) func rejection(value: String) {
    #expect(refusal("{\"rejection\": \(value)}").contains("\"rejection\": it is"))
  }

  @Test func thresholdsThatAreNotNumbersAreNotJSON() {
    #expect(refusal(#"{"threshold_default": NaN}"#).contains("unexpected 'N', expected a value"))
  }

  @Test func otherRefusals() {
    #expect(
      refusal(#"{"preprocessing": 3}"#).contains("\"preprocessing\": it is the number 3, expected the name"))
    #expect(refusal("[]").contains("metadata as a list of 0, expected a JSON object"))
    #expect(refusal(String(repeating: " ", count: 1 << 20 + 1)).contains("1048577 bytes of metadata"))
  }
}

/// What label files say of classes besides their labels.
struct LabelDetailsTests {
  private func file(_ text: String) throws -> LabelFile { try LabelFile(Array(text.utf8)) }

  @Test(arguments: [
    #"{"cat": {"advice": "Feed it."}, "dog": {}}"#,
    #"{"dog": {"index": 1}, "cat": {"index": 0, "advice": {"": "Feed it."}}}"#,
    #"[{"label": "cat", "advice": "Feed it."}, "dog"]"#,
    #"[{"label": "dog", "index": 1}, {"label": "cat", "index": 0, "advice": "Feed it."}]"#,
  ])
  func everyForm(text: String) throws {
    let file = try file(text)
    #expect(file.labels == ["cat", "dog"])
    #expect(file.details.keys.sorted() == [0])
    #expect(file.details[0]?.advice?.text(in: "th") == "Feed it.")
    #expect(file.details[0]?.name == nil)
  }

  private static let twins =
    #"[{"label": "crane", "name": "Bird"}, {"label": "cat"}, {"label": "crane", "name": "Machine"}]"#

  /// ImageNet has a crane that flies and one that lifts.
  @Test func twoClassesOfOneLabelHaveTheirOwn() throws {
    let file = try file(Self.twins)
    #expect(file.labels == ["crane", "cat", "crane"])
    #expect([0, 1, 2].map { file.details[$0]?.name?.text() } == ["Bird", nil, "Machine"])
    let indexed = try self.file(
      #"[{"label": "crane", "index": 1, "name": "B"}, {"label": "crane", "index": 0, "name": "A"}]"#)
    #expect([0, 1].map { indexed.details[$0]?.name?.text() } == ["A", "B"])
  }

  private func names(_ text: String, of own: [String]) throws -> [Int: String] {
    try file(text).details(of: own).compactMapValues { $0.name?.text() }
  }

  @Test func labelsOfAModelFindWhatIsSaidOfThem() throws {
    // In the model's order the place tells twins apart.
    #expect(try names(Self.twins, of: ["crane", "cat", "crane"]) == [0: "Bird", 2: "Machine"])
    let one = #"{"rust": {"name": "Rust"}, "smut": {}}"#
    #expect(try names(one, of: ["blight", "rust", "smut"]) == [1: "Rust"])
    #expect(try names(one, of: ["smut", "rust"]) == [1: "Rust"])
    #expect(try names(one, of: ["cat", "dog"]).isEmpty)
    #expect(try names(Self.twins, of: ["cat", "dog"]).isEmpty)
    // A file of another model, which has one of this model's labels twice.
    #expect(try names(Self.twins, of: ["crane", "dog"]).isEmpty)
  }

  @Test(
    arguments: [
      (twins, ["cat", "crane"], "it comes twice"), (twins, ["cat", "crane", "dog"], "it comes twice"),
      (#"{"crane": {"name": "B"}}"#, ["crane", "cat", "crane"], "2 classes of the model have this label"),
      (twins, ["crane", "crane", "cat"], "2 classes of the model"),
    ] as [(String, [String], String)])
  func whatMayBeMeantForSeveralClassesIsRefused(text: String, own: [String], problem: String) throws {
    let file = try file(text)
    let error = try #require(throws: ApusError.self) { try file.details(of: own) }
    #expect(error.kind == .configuration && error.location == #"label "crane""#)
    #expect(error.problem.contains(problem) && error.advice != nil, "\(error)")
  }

  @Test(arguments: [
    (#"{"cat": {"advise": "x"}}"#, #"label "cat": the key "advise", expected label, index, name"#),
    (#"{"cat": {"advice": 1}}"#, #""advice" is the number 1"#),
    (#"{"cat": {"name": {"en": 1}}}"#, #""name" in "en" is the number 1, expected a text"#),
    (#"{"cat": {"name": {}}}"#, #""name" is an object, expected a text, or one for each language"#),
    (#"{"cat": {}, "dog": 1}"#, #""dog" is the number 1, expected an object for every label"#),
    (#"{"cat": {"index": 0}, "dog": {}}"#, #"index -1 of label "dog""#),
    (#"{"cat": {"label": "dog"}}"#, #"the key "label", expected the label as the key"#),
    (#"[{"advice": "x"}]"#, #"label 0: an object without "label""#),
    (#"[{"label": "cat"}, 7]"#, "label 1: the number 7, expected a text or an object"),
  ])
  func whatMakesNoSense(text: String, problem: String) {
    #expect { try file(text) } throws: { "\($0)".contains(problem) }
  }
}
