import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Several files bound by an index are one model; whatever the index and the files disagree in is refused.
struct SafetensorsShardsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("one.safetensors", Self.file("a", "b"))
    try folder.write("two.safetensors", Self.file("c"))
    try folder.write("sub/three.safetensors", Self.file("d"))
  }

  private static func file(_ names: String...) -> [UInt8] {
    SafetensorsBuilder.file(names.map { ($0, "U8", [1], [$0.utf8.first ?? 0]) })
  }

  private func open(_ index: String) throws -> SafetensorsCollection {
    let path = try folder.write("model.safetensors.index.json", index)
    return try SafetensorsCollection(contentsOf: path)
  }

  @Test func tensorsOfAllShards() throws {
    let collection = try open(
      #"""
      {"metadata": {"total_size": 4},
       "weight_map": {"c": "two.safetensors", "a": "one.safetensors", "b": "one.safetensors",
                      "d": "sub/three.safetensors"}}
      """#)
    #expect(collection.names == ["a", "b", "c", "d"])
    #expect(
      collection.paths.map { $0.dropFirst(folder.path.count) } == [
        "/two.safetensors", "/one.safetensors", "/sub/three.safetensors",
      ])
    for name in collection.names {
      #expect(try collection.tensor(name).elements() == [name.utf8.first ?? 0] as [UInt8])
    }
    #expect(collection.path(of: "d").hasSuffix("/sub/three.safetensors"))
    #expect(collection.byteCount == 4)
    #expect(["", "a", "c", "d"].allSatisfy(collection.hasNames(startingWith:)))
    #expect(!["ab", "e", "A", "ä"].contains(where: collection.hasNames(startingWith:)))
    try collection.checkUndamaged()
  }

  @Test(arguments: [
    "../one.safetensors", "/one.safetensors", "sub/../../one.safetensors", "./one.safetensors", "", "sub//x",
    "one.bin", "..", "sub/three.safetensors/", #"one\u0000.safetensors"#, #"../\u0301x.safetensors"#,
  ])
  func shardsOutsideOfTheFolderAreRefused(_ shard: String) throws {
    let error = #expect(throws: ApusError.self) { try open(#"{"weight_map": {"a": "\#(shard)"}}"#) }
    #expect(error?.kind == .malformedModel)
    #expect(error?.file?.hasSuffix("/model.safetensors.index.json") == true)
    #expect(error?.description.contains("the shard '") == true)
  }

  @Test func aMissingShardIsNamed() throws {
    let error = #expect(throws: ApusError.self) { try open(#"{"weight_map": {"a": "four.safetensors"}}"#) }
    #expect(error?.kind == .file)
    #expect(error?.file?.hasSuffix("/model.safetensors.index.json") == true)
    #expect(error?.problem.contains("'four.safetensors' cannot be opened") == true)
  }

  @Test func aTensorThatItsShardLacksIsNamed() throws {
    let error = #expect(throws: ApusError.self) { try open(#"{"weight_map": {"c": "one.safetensors"}}"#) }
    #expect(error?.kind == .malformedModel)
    #expect(error?.file?.hasSuffix("/one.safetensors") == true)
    #expect(error?.problem.contains("'c'") == true)
  }

  @Test func aTensorInTwoShardsIsNamed() throws {
    try folder.write("again.safetensors", Self.file("a"))
    let error = #expect(throws: ApusError.self) {
      try open(#"{"weight_map": {"a": "one.safetensors", "c": "two.safetensors", "x": "again.safetensors"}}"#)
    }
    #expect(error?.location == "tensor 'a'")
    #expect(error?.file?.hasSuffix("/again.safetensors") == true)
  }

  @Test(arguments: [
    "", "{}", "[]", "{", #"{"weight_map": []}"#, #"{"weight_map": {"a": 1}}"#,
    #"{"weight_map": {"a": null}}"#,
    #"{"weight_map": {"a": "one.safetensors", "a": "one.safetensors"}}"#, "\u{FEFF}{}",
  ])
  func whatIsNoIndex(_ text: String) throws {
    let error = #expect(throws: ApusError.self) { try open(text) }
    #expect(error?.kind == .malformedModel)
    #expect(error?.file?.hasSuffix("/model.safetensors.index.json") == true)
  }

  @Test func aMalformedShardNamesItself() throws {
    try folder.write("bad.safetensors", [1, 2, 3])
    let error = #expect(throws: ApusError.self) { try open(#"{"weight_map": {"a": "bad.safetensors"}}"#) }
    #expect(error?.kind == .malformedModel)
    #expect(error?.file?.hasSuffix("/bad.safetensors") == true)
  }

  /// Names of tensors are bytes, and so are those of files.
  @Test func namesThatDifferByCompositionAreTwo() throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    try folder.write("\(composed).safetensors", Self.file(composed))
    try folder.write("\(decomposed).safetensors", Self.file(decomposed))
    let collection = try open(
      #"""
      {"weight_map": {"\u00e9": "\u00e9.safetensors", "e\u0301": "e\u0301.safetensors"}}
      """#)
    #expect(collection.names.map { ExactText($0) } == [ExactText(decomposed), ExactText(composed)])
    #expect(Set(collection.paths.map { ExactText($0) }).count == 2)
    for name in [composed, decomposed] {
      #expect(try collection.tensor(name).elements() == [name.utf8.first ?? 0] as [UInt8])
    }
    let one = try SafetensorsFile(Self.file(composed, decomposed), named: "x")
    #expect(one[composed]?.bytes != one[decomposed]?.bytes)
    let only = SafetensorsCollection(try SafetensorsFile(Self.file(composed), named: "x"))
    #expect(only.contains(composed) && !only.contains(decomposed))
  }
}
