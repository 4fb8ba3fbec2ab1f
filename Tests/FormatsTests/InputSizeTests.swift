import Formats
import TensorCore
import Testing

/// `input_size` of a `meta.json` is height and width, or the shape of a picture whose channels have one place.
struct InputSizeTests {
  private func metadata(_ value: String) throws -> ClassifierMetadata {
    try ClassifierMetadata(Array(#"{"input_size": \#(value)}"#.utf8))
  }

  @Test(
    arguments: [
      ("96", [96, 96], nil), ("[96, 128]", [96, 128], nil), ("[96, 128, 3]", [96, 128], 3),
      ("[3, 96, 128]", [96, 128], 3), ("[1, 96, 128, 3]", [96, 128], 3), ("[1, 3, 96, 128]", [96, 128], 3),
    ] as [(String, [Int], Int?)])
  func shapesAreHeightAndWidth(value: String, size: [Int], channels: Int?) throws {
    let metadata = try metadata(value)
    #expect(metadata.inputSize == size)
    #expect(metadata.inputChannels == channels)
  }

  @Test(arguments: [
    ("0", "the number 0"), ("-224", "the number -224"), ("224.5", "the number 224.5"),
    ("\"224\"", "the text \"224\""), ("[224]", "[224]"), ("[224, 0]", "[224, 0]"),
    ("70000", "the number 70000"),
    ("[224, 224, 4]", "[224, 224, 4]"), ("[3, 224, 3]", "[3, 224, 3]"), ("[224, 3, 224]", "[224, 3, 224]"),
    ("[2, 224, 224, 3]", "[2, 224, 224, 3]"), ("[1, 1, 224, 224, 3]", "[1, 1, 224, 224, 3]"),
    ("[224, \"224\"]", "a list of 2"), ("{}", "an object"),
  ])
  func othersAreRefusedByWhatWasFound(value: String, found: String) {
    let error = #expect(throws: ApusError.self) { try metadata(value) }
    #expect(error?.problem == "it is \(found)")
    #expect(error?.location == "\"input_size\"")
  }
}
