import Graph
import TensorCore
import TestSupport
import Testing

@testable import Models

/// Texts of SigLIP with tokens left out, of which the last stands for the text all the same.
@Suite struct MaskedPaddingTests {
  private func masked(_ name: String) throws -> (tower: any TextTower, rows: [TokenRow]) {
    let fixture = try ModelFixture(name, "masked.json")
    let tower = try #require(try ModelArchitecture.load(fixture.folder).text)
    return (tower, zip(try fixture.ids(), try fixture.ids("masks")).map { TokenRow($0, marks: $1) })
  }

  /// Ones alone make the inputs and the graph of no mask.
  @Test func nothingLeftOutIsNoMask() throws {
    let ids = try ModelFixture("siglip").ids("padded_ids")
    let (tower, _) = try masked("siglip")
    let ones = ids.map { TokenRow($0, marks: [Int32](repeating: 1, count: $0.count)) }
    #expect(!tower.hasUnattendedTokens(ones))
    let (plain, marked) = (try tower.inputs(ids), try tower.inputs(ones))
    #expect(plain.count == 4 && marked.count == 4)
    for (a, b) in zip(plain, marked) {
      #expect(try a.elements(of: Int32.self) == b.elements(of: Int32.self))
    }
  }

  /// Six tokens of twelve, and the last, which is no key.
  @Test func tokensLeftOutAreNotComputed() throws {
    let (tower, rows) = try masked("siglip")
    let inputs = try tower.inputs([rows[0], rows[9]])
    let found = try inputs.map { try $0.elements(of: Int32.self) }
    #expect(found[1] == [0, 1, 2, 3, 4, 5, 11] + Array(0..<12))
    #expect(found[2] == [0, 7, 7, 19, 19])
    #expect(found[3] == [6, 18])
    #expect(found[4] == [0, 6, 7, 19, 19])
  }

  /// A batch of texts with and without such tokens gives each what it has alone, filled up or not.
  @Test(arguments: ["siglip", "siglip2"], Precision.allCases.filter { $0.isAvailable })
  func rowsAreThoseOfTheBatch(_ name: String, _ precision: Precision) throws {
    let (tower, rows) = try masked(name)
    // So many that texts are filled up too.
    let many = rows + rows.prefix(5)
    for count in [1, 2, 9, rows.count, many.count] {
      let some = Array(many.prefix(count))
      let plain = try run(tower, some, precision, rounded: false)
      let filled = try run(tower, some, precision, rounded: true)
      #expect(filled == plain, "\(count) texts")
    }
    let together = try run(tower, rows, precision, rounded: false)
    let alone = try rows.flatMap { try run(tower, [$0], precision, rounded: true) }
    expectClose(together, alone, tolerance: precision == .float32 ? 1e-5 : 0.03, "\(precision)")
  }

  private func run(
    _ tower: any TextTower, _ rows: [TokenRow], _ precision: Precision, rounded: Bool
  ) throws -> [Float] {
    var options = CompileOptions()
    options.precision = precision
    var inputs = try tower.inputs(rows)
    var (tokens, sequences) = (inputs[0].shape.elementCount, rows.count)
    if rounded {
      let batch = try RoundedBatch(inputs)
      (inputs, tokens, sequences) = (batch.inputs, batch.tokens, batch.sequences)
    }
    let graph = try tower.graph(
      tokens: tokens, sequences: sequences, hasUnattendedTokens: tower.hasUnattendedTokens(rows))
    let found = try Compiler.compile(graph, options).run(inputs)[0].elements(of: Float.self)
    return Array(found.prefix(rows.count * tower.outputWidth))
  }

  @Test func aTextOfPaddingAloneIsRefused() throws {
    let (tower, rows) = try masked("siglip")
    let none = TokenRow(rows[0].ids, marks: rows[0].ids.map { _ in 0 })
    let error = try #require(throws: ApusError.self) { try tower.inputs([rows[0], none]) }
    #expect(error.kind == .argument && error.location == "text 1")
    #expect(error.problem == "every token is left out")
  }

  @Test(arguments: [
    ("siglip", PaddingMask.optional), ("siglip-text", .optional), ("clip", .withoutEffect),
    ("open-clip", .withoutEffect), ("bert-sentence", .always),
  ])
  func whatAMaskDoes(_ name: String, _ expected: PaddingMask) throws {
    let tower = try #require(try ModelArchitecture.load(ModelFixture(name).folder).text)
    #expect(tower.paddingMask == expected)
  }
}
