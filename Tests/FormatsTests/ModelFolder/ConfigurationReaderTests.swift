import FuzzBodies
import TensorCore
import TestSupport
import Testing

@testable import Formats

/// Values come with their type checked; errors name file and key path, what was found and what was expected.
struct ConfigurationReaderTests {
  private static let text = #"""
    {"width": 768, "heads": 12.0, "epsilon": 1e-12, "causal": false, "name": "bert", "none": null,
     "vision_config": {"patch_size": 16, "more": {"deep": "x"}}, "mean": [0.5, 1], "act": "gelu", "big": 1e30}
    """#

  private func reader(_ text: String = text) throws -> ConfigurationReader {
    try ConfigurationReader(Array(text.utf8), file: "config.json")
  }

  @Test func values() throws {
    let reader = try reader()
    #expect(try reader.integer("width", in: 1...1024) == 768)
    #expect(try reader.integer("heads", in: 1...64) == 12)
    #expect(try reader.number("epsilon", in: 0...1) == 1e-12)
    #expect(try reader.number("width") == 768)
    #expect(try reader.bool("causal") == false)
    #expect(try reader.string("name") == "bert")
    #expect(try reader.object("vision_config").integer("patch_size", in: 1...64) == 16)
    #expect(try reader.optionalList("mean", of: "numbers") { $0.double } == [0.5, 1])
    #expect(try reader.choice("act", ["relu": 1, "gelu": 2]) == 2)
  }

  @Test func absentOrNullValues() throws {
    let reader = try reader()
    for key in ["none", "absent"] {
      #expect(!reader.has(key))
      #expect(try reader.integer(key, in: 1...9, default: 4) == 4)
      #expect(try reader.number(key, default: 2.5) == 2.5)
      #expect(try reader.bool(key, default: true))
      #expect(try reader.string(key, default: "x") == "x")
      #expect(try reader.choice(key, ["a": 1], default: 3) == 3)
      #expect(try reader.optionalInteger(key, in: 0...1) == nil)
      #expect(try reader.optionalString(key) == nil)
      #expect(try reader.optionalObject(key) == nil)
      #expect(try reader.optionalList(key, of: "texts") { $0.string } == nil)
      try reader.require(key, isOneOf: .string("absolute"))
      let error = #expect(throws: ApusError.self) { try reader.integer(key, in: 1...9) }
      #expect(error?.description == "config.json: \(key): is missing, expected an integer in 1…9.")
    }
  }

  @Test func wrongTypesNameThePlace() throws {
    let reader = try reader()
    let deep = try reader.object("vision_config").object("more")
    let cases: [(() throws -> Any, String)] = [
      ({ try reader.integer("name", in: 1...9) }, "name: is the text \"bert\", expected an integer in 1…9"),
      ({ try reader.integer("width", in: 1...9) }, "width: is the number 768, expected an integer in 1…9"),
      (
        { try reader.integer("epsilon", in: 0...9) },
        "epsilon: is the number 1e-12, expected an integer in 0…9"
      ),
      ({ try reader.integer("big", in: 0...9) }, "big: is the number 1e30, expected an integer in 0…9"),
      ({ try reader.number("big", in: 0...1) }, "big: is the number 1e30, expected a number in 0.0…1.0"),
      ({ try reader.bool("width") }, "width: is the number 768, expected true or false"),
      ({ try reader.string("causal") }, "causal: is false, expected a text"),
      ({ try reader.object("mean") }, "mean: is a list of 2, expected an object"),
      (
        { try deep.integer("deep", in: 0...1) },
        "vision_config.more.deep: is the text \"x\", expected an integer"
      ),
      ({ try reader.choice("act", ["relu": 1]) }, "act: is the text \"gelu\", expected one of relu"),
      (
        { try reader.optionalList("mean", of: "texts") { $0.string } as Any },
        "mean: is a list of 2, expected"
      ),
    ]
    for (body, text) in cases {
      let error = #expect(throws: ApusError.self) { _ = try body() }
      #expect(error?.description.hasPrefix("config.json: " + text) == true, "\(error?.description ?? "")")
    }
  }

  @Test func valuesThatChangeTheResultAreRefused() throws {
    let reader = try reader()
    try reader.require("act", isOneOf: .string("relu"), .string("gelu"))
    try reader.require("heads", isOneOf: .number("12"))
    let error = #expect(throws: ApusError.self) { try reader.require("act", isOneOf: .string("relu"), .null) }
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.description == "config.json: act: is the text \"gelu\", expected \"relu\" or null.")
  }

  @Test func keysThatNothingReadAreRefused() throws {
    let reader = try reader(#"{"a": 1, "b": 2, "c": null, "d": 3}"#)
    _ = try reader.integer("a", in: 0...9)
    reader.passOver([KeysWithoutEffect("training", ["d"])])
    let error = #expect(throws: ApusError.self) { try reader.requireAllRead() }
    #expect(error?.kind == .unsupportedModel)
    #expect(error?.problem == "the unknown key 'b'")
    reader.passOver([KeysWithoutEffect("training", ["b"])])
    try reader.requireAllRead()
  }

  @Test func keysWithinObjectsAreRefusedToo() throws {
    let reader = try reader(#"{"a": {"b": 1, "c": 2}, "l": [{"d": 3}]}"#)
    #expect(try reader.object("a").integer("b", in: 0...9) == 1)
    let error = #expect(throws: ApusError.self) { try reader.requireAllRead() }
    #expect(error?.description.hasPrefix("config.json: l") == false)
    #expect(error?.problem == "the unknown key 'l'")
    let objects = try #require(try reader.optionalObjects("l"))
    let inner = #expect(throws: ApusError.self) { try reader.requireAllRead() }
    #expect(inner?.description.hasPrefix("config.json: a: the unknown key 'c'") == true)
    for part in reader.use.parts { part.passOverRest("of no concern") }
    #expect(objects.count == 1)
    try reader.requireAllRead()
  }

  @Test(arguments: ["", "[]", "null", "3", "{", "{\"a\": 1, \"a\": 2}", "\u{0}", "{} {}"])
  func whatIsNoConfiguration(_ text: String) throws {
    let error = #expect(throws: ApusError.self) { try reader(text) }
    #expect(error?.kind == .configuration)
    #expect(error?.file == "config.json")
  }

  @Test func aByteOrderMarkIsPassed() throws {
    #expect(try reader("\u{FEFF}{\"a\": 1}").integer("a", in: 0...1) == 1)
  }

  @Test func everyByteDamaged() {
    let bytes = Array(Self.text.utf8)
    for position in bytes.indices {
      for value in [0, 0x22, 0x2C, 0x2D, 0x39, 0x5B, 0x7B, 0x7D, 0xFF] as [UInt8] {
        var damaged = bytes
        damaged[position] = value
        Fuzzing.configuration(damaged)
      }
    }
  }

  @Test func keysAreBytes() throws {
    let reader = try reader(#"{"\u00e9": 1, "e\u0301": 2, "act": "\u212a"}"#)
    #expect(try reader.integer("\u{E9}", in: 0...9) == 1)
    // The other was not asked for, and is not covered by the first.
    #expect(throws: ApusError.self) { try reader.requireAllRead() }
    #expect(try reader.integer("e\u{301}", in: 0...9) == 2)
    #expect(throws: ApusError.self) { try reader.choice("act", ["K": 1]) }
    #expect(throws: ApusError.self) { try reader.require("act", isOneOf: .string("K")) }
    #expect(reader.keys.map { ExactText($0) } == ["act", "e\u{301}", "\u{E9}"])
    try reader.requireAllRead()
  }
}
