import Formats
import Foundation
import Models
import TestSupport
import Testing

/// The documentation says what the importer does.
@Suite struct DocumentationTests {
  @Test func listsTheSupportedOperators() throws {
    let text = try String(contentsOf: Checkout.file("Documentation/models.md"), encoding: .utf8)
    let start = try #require(text.range(of: "Supported operators: "))
    let end = try #require(text.range(of: ".\n", range: start.upperBound..<text.endIndex))
    let list = text[start.upperBound..<end.lowerBound]
    let names = list.split { $0 == "," || $0.isWhitespace }.map(String.init)
    #expect(names == TFLiteBuiltin.allCases.filter { $0.support == .runs }.map(\.name).sorted())
  }
}
