import JSONCoding
import TensorCore
import TestSupport
import Testing

/// Texts and space end where they do, wherever they begin in a word of eight bytes.
@Suite struct ByteScanTests {
  @Test func textsEndAtTheirQuotes() throws {
    for count in 0...40 {
      for lead in 0...9 {
        let plain = String(repeating: "x", count: count)
        for (text, expected) in [
          (plain, plain), (plain + "\\n" + plain, plain + "\n" + plain),
          (plain + "\u{7F}é\u{1F600}", plain + "\u{7F}é\u{1F600}"), (plain + "#[]!\u{1F}", nil),
        ] as [(String, String?)] {
          var reader = JSONReader(
            Array((String(repeating: " ", count: lead) + "\"" + text + "\" , 1").utf8)[...])
          _ = reader.next
          guard let expected else {
            #expect(throws: ApusError.self) { try reader.string() }
            continue
          }
          #expect(try reader.string() == expected)
          #expect(reader.remaining == 4)
        }
      }
    }
  }

  @Test func spaceOfAnyLengthIsSkipped() throws {
    for count in 0...40 {
      let space = String(repeating: " ", count: count)
      for gap in [space, "\n" + space, space + "\r\n\t" + space, "\t" + space + "\n"] {
        var reader = JSONReader(Array((gap + "[" + gap + "7" + gap + "]" + gap).utf8)[...])
        #expect(try reader.value() == .array([.number("7")]))
        try reader.end()
      }
    }
  }
}
