import Testing

@testable import Text

/// Scores of `tokenizer.json` are read to the bit as the tokenizers library reads them.
@Suite struct SentencePieceScoreTests {
  /// The values are what tokenizers 0.23.3 gives back for a vocabulary of these scores; the first and the
  /// last are not the nearest Double.
  @Test(arguments: [
    ("-3.9588985912478947", -0x1.fabd_3064_cb8a_fp+1), ("-8.413698920348088", -0x1.0d3d_0584_a923_3p+3),
    ("-3.2023584842681885", -0x1.99e6_e2p+1), ("0.0", 0), ("-0", 0), ("5", 5), ("1e3", 1000),
    ("12.5E-1", 1.25), ("1e+2", 100), ("1e-400", 0), ("-1e-320", -0x0.0000_0000_007e_8p-1022),
    ("123456789012345678901234567890", 0x1.8ee9_0ff6_c373_ep+96),
    ("0.00000000000000000000000000000001", 0x1.9f62_3d5a_8a73_2p-107),
  ])
  func asTheLibrary(text: String, value: Double) {
    #expect(DecimalScore.value(text) == value)
  }

  @Test(arguments: ["1e400", "-1e309", "1e99999999999999999999", "2e308"])
  func outOfRange(text: String) { #expect(DecimalScore.value(text) == nil) }
}
