import Apus
import Testing

@testable import Evaluation

/// Classes of several models, and labels of the data, find each other.
@Suite struct ClassMatchingTests {
  private typealias Classes = ClassSpace.Classes

  private func space(
    _ models: [Classes], table: ClassTable? = nil, data: [String]? = nil
  ) throws(ApusError) -> ClassSpace {
    try ClassSpace(models, table: table, dataLabels: data)
  }

  private func table(_ lines: [String]) throws -> ClassTable {
    try ClassTable(Array(lines.joined(separator: "\n").utf8))
  }

  @Test func namesDecideInWhateverOrder() throws {
    let space = try space([
      Classes(model: "a", count: 3, names: ["cat", "Red_Fox", "dog"]),
      Classes(model: "b", count: 3, names: ["red fox", "DOG", "cat"]),
      Classes(model: "c", count: 3, names: nil),
    ])
    #expect(space.positions == [[0, 1, 2], [1, 2, 0], [0, 1, 2]])
    #expect(space.scores([0.2, 0.3, 0.5], of: 1) == [0.5, 0.2, 0.3])
  }

  /// Classes whose names differ by composition alone are two, but where nothing else fits, composition does not count:
  /// a Mac writes names of folders in two characters.
  @Test func namesThatDifferByCompositionAlone() throws {
    let (one, two) = ("caf\u{E9}", "cafe\u{301}")
    let space = try space([
      Classes(model: "a", count: 3, names: [one, two, "tea"]),
      Classes(model: "b", count: 3, names: [two, one, "tea"]),
    ])
    #expect(space.positions == [[0, 1, 2], [1, 0, 2]] && space.toldByOrder == [[], []])
    let both = try LabelMatching([two, one, "tea"], in: space, table: nil)
    #expect(both.classes == [ExactText(one): 0, ExactText(two): 1, "tea": 2] && both.method == "by name")
    let alone = try self.space([Classes(model: "a", count: 2, names: [one, "tea"])])
    let matching = try LabelMatching([two, "tea"], in: alone, table: nil)
    #expect(matching.classes == [ExactText(two): 0, "tea": 1])
    #expect(matching.method == "by name, but for case and spaces")
  }

  @Test func namesThatOnlyOneKnowsGoToTheEnd() throws {
    let space = try space([
      Classes(model: "a", count: 3, names: ["cat", "dog", "fox"]),
      Classes(model: "b", count: 3, names: ["owl", "dog", "cat"]),
    ])
    #expect(space.names == ["cat", "dog", "fox", "owl"] && space.positions[1] == [3, 1, 0])
    #expect(space.scores([1, 2, 3], of: 1) == [3, 2, 0, 1])
  }

  @Test(
    arguments: [
      // Behind a background class, in another order, and in one that moves all alike.
      (["background", "tench", "crane", "owl", "crane", "kite"], [5, 0, 1, 2, 3, 4], []),
      (["crane", "owl", "crane", "kite", "tench"], [1, 2, 3, 4, 0], [1, 3]),
      (["Tench", "crane, Grus", "owl", "crane, hoist", "kite"], [0, 1, 2, 3, 4], []),
      // One crane is none of two in particular.
      (["crane", "owl", "tench", "kite"], [5, 2, 0, 4], []),
    ] as [([String], [Int], Set<Int>)])
  func namesThatOccurTwiceAreToldByTheirOrder(
    _ names: [String], _ positions: [Int], _ toldByOrder: Set<Int>
  ) throws {
    let base = ["tench", "crane", "owl", "crane", "kite"]
    let space = try space([
      Classes(model: "a", count: base.count, names: base),
      Classes(model: "b", count: names.count, names: names),
      // What only b has is in nobody's way.
      Classes(model: "c", count: base.count, names: base),
    ])
    #expect(space.positions == [Array(0..<5), positions, Array(0..<5)])
    #expect(space.toldByOrder == [[], toldByOrder, []])
  }

  @Test func aBackgroundClassIsNoOther() throws {
    let names = (0..<1000).map { "class \($0)" }
    let background = ["background"] + names
    func positions(_ a: [String]?, _ b: [String]?, _ counts: (Int, Int)) throws -> ClassSpace {
      try space([
        Classes(model: "a", count: counts.0, names: a), Classes(model: "b", count: counts.1, names: b),
      ])
    }
    #expect(try positions(background, names, (1001, 1000)).positions[1] == Array(1...1000))
    #expect(try positions(nil, nil, (1001, 1000)).positions[1] == Array(1...1000))
    let added = try positions(nil, background, (1000, 1001))
    #expect(added.names.last == "background" && added.positions[1] == [1000] + Array(0..<1000))
  }

  @Test func otherClassesAreRefusedByName() {
    let classes = [
      Classes(model: "a", count: 2, names: ["cat", "dog"]),
      Classes(model: "b", count: 2, names: ["rose", "tulip"]),
    ]
    #expect { try space(classes) } throws: {
      let text = "\($0)"
      return text.contains("'rose'") && text.contains("'cat'") && text.contains("b:")
    }
    #expect(throws: ApusError.self) {
      try space([Classes(model: "a", count: 5, names: nil), Classes(model: "b", count: 7, names: nil)])
    }
  }

  @Test func foldersNumberTheClassesOfModelsWithoutNames() throws {
    let models = [Classes(model: "a", count: 2, names: nil), Classes(model: "b", count: 2, names: nil)]
    let space = try space(models, data: ["cat", "dog"])
    let matching = try LabelMatching(["cat", "dog"], in: space, table: nil)
    #expect(space.isNamedByData && matching.classes == ["cat": 0, "dog": 1])
    #expect(matching.method.contains("order of the folders"))
    // Three folders are not the two classes.
    let others = try self.space(models, data: ["cat", "dog", "fox"])
    #expect(throws: ApusError.self) { try LabelMatching(["cat", "dog", "fox"], in: others, table: nil) }
  }

  @Test(arguments: [
    (["cat", "the dog"], "by name"), (["CAT", "the_dog"], "by name, but for case and spaces"),
    (["1", "2"], "by index"),
  ])
  func labelsAreFoundByNameOrIndex(labels: [String], method: String) throws {
    let space = try space([
      Classes(model: "a", count: 4, names: ["owl", "cat", "the dog", "fox"])
    ])
    let matching = try LabelMatching(labels, in: space, table: nil)
    #expect(matching.method == method && labels.map { matching.classes[ExactText($0)] } == [1, 2])
  }

  @Test func synsetsGoThroughTheFileOfClasses() throws {
    let names = (0..<1000).map { "name \($0), other \($0)" }
    let table = try table(names.indices.map { "\($0)\tn\(10_000_000 + $0)\tname \($0)" })
    let space = try space([Classes(model: "a", count: 1001, names: ["background"] + names)], table: table)
    let matching = try LabelMatching(["n10000000", "n10000999"], in: space, table: table)
    #expect(matching.method == "by synset" && matching.classes == ["n10000000": 1, "n10000999": 1000])
    let synonyms = try LabelMatching(["name_7"], in: space, table: nil)
    #expect(synonyms.classes == ["name_7": 8])
  }

  @Test func aFileOfClassesNamesThoseOfAModelWithout() throws {
    let table = try table((0..<1000).map { "\($0)\tn\(10_000_000 + $0)\tname \($0)" })
    let space = try space([Classes(model: "a", count: 1001, names: nil)], table: table)
    #expect(space.names.first == "background" && space.names.last == "name 999")
  }

  @Test func namesThatOccurTwiceAreNotGuessed() throws {
    let space = try space([Classes(model: "a", count: 3, names: ["crane", "owl", "crane"])])
    #expect { try LabelMatching(["crane"], in: space, table: nil) } throws: { "\($0)".contains("'crane'") }
    #expect(try LabelMatching(["2"], in: space, table: nil).classes == ["2": 2])
  }

  @Test(arguments: [
    ("model.tflite", "model.tflite", Precision?.none, nil), ("vit@f32", "vit", .float32, nil),
    ("vit@int8", "vit", .int8, nil), ("owner/name@main", "owner/name@main", nil, nil),
    ("owner/name@main@bf16", "owner/name@main", .bfloat16, nil),
    ("m.tflite@avx2", "m.tflite", nil, "avx2"), ("vit@int8@baseline", "vit", .int8, "baseline"),
    ("vit@integer=avx2,float=baseline", "vit", nil, "integer=avx2,float=baseline"),
    ("owner/name@int8=avx2", "owner/name@int8=avx2", nil, nil),
  ])
  func specifications(name: String, path: String, precision: Precision?, set: String?) {
    let specification = ModelSpecification(name)
    #expect(specification.path == path && specification.precision == precision)
    #expect(specification.instructionSet == set && specification.name == name)
    #expect(specification.variant == nil)
  }

  /// The files of a folder, whose names are theirs in every letter, with or without a precision behind them.
  @Test(arguments: [
    ("bert@variant=int8", Precision?.none, "int8"), ("bert@variant=Q4F16@f32", .float32, "Q4F16"),
    ("bert@bf16@variant=fp16", .bfloat16, "fp16"),
  ])
  func variants(name: String, precision: Precision?, variant: String) {
    let specification = ModelSpecification(name)
    #expect(specification.path == "bert" && specification.precision == precision)
    #expect(specification.variant == variant && specification.inference(threads: 1).variant == variant)
  }
}
