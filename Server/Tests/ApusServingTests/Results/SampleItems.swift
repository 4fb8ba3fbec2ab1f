import Apus
import ApusServing
import FoundationEssentials

/// What clients send: usual, unusual and broken.
enum SampleItems {
  /// Texts from nothing to far more than a model takes, pairs of them, and tokens in the place of texts.
  static func texts(maximumTokens: Int) -> [TextInput] {
    let words =
      "a swift bird flies over the old town while people read three red circles and two pink flowers"
      .split(separator: " ")
    var random = SeededRandom(seed: 1)
    let lengths = [1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 300, 20_000]
    let written = lengths.map { count in
      (0..<count).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }
    let tokens = [1, 2, 7, maximumTokens, maximumTokens + 1, 0].map { count in
      (0..<count).map { _ in Int32.random(in: 5..<150, using: &random) }
    }
    let texts = written + ["", " \n\t ", "東京 🐦\u{200D}", "\0"]
    let pairs = zip(texts, texts.dropFirst(2)).map { TextPair($0, $1) } + [TextPair("", "\n")]
    return texts.map(TextInput.text) + pairs.map(TextInput.pair)
      + (tokens + [[2, 1 << 30, 3], [-1]]).map(TextInput.tokens)
  }

  /// Pictures in several forms, among them some that are cut off, damaged or none.
  static func pictures() throws -> [Picture] {
    let names = [
      "three-red-circles", "two-pink-flowers", "a-purple-umbrella", "five-white-stars-on-a-black-background",
    ]
    let files = try names.map { try bytes("Weights/scenes/samples/\($0).png") }
    let other = try ["cmyk.jpg", "bad_crc.png", "bad_scans.jpg"].map {
      try bytes("Tests/Fixtures/images/pictures/\($0)")
    }
    let broken = [Array(files[0].prefix(files[0].count / 2)), Array(files[1].prefix(40)), [1, 2, 3], []]
    return (files + other + broken).map(Picture.encoded) + [.pixels(try ImageDecoder.decode(files[2]).image)]
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: Checkout.file(path))))
  }
}
