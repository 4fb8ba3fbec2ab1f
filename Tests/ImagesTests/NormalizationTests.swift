import Images
import TensorCore
import Testing

/// Normalisation is NumPy's float32 arithmetic, and refuses constants in the wrong unit.
@Suite struct NormalizationTests {
  @Test func equalsNumPy() throws {
    let rules: [String: Normalization] = [
      "minusOneToOne": .minusOneToOne,
      "zeroToOne": .zeroToOne,
      "meanStd": try .meanStd(inUnitsOfOne: [0.485], [0.229]),
      "byteMeanStd": try .meanStd(inUnitsOfBytes: [123.675], [58.395]),
      "scaleOffset": try .scaleOffset(perByteStep: 0.017, offset: -1.8),
    ]
    let expected = try #require(PictureFixtures.own.normalizations)
    #expect(Set(expected.keys) == Set(rules.keys))
    for (name, rule) in rules {
      let values = (0..<256).map { rule.apply(Float($0), channel: 1) }
      #expect(PictureDigest.of(values) == expected[name], "\(name)")
    }
  }

  @Test func endsOfTheRange() {
    #expect(Normalization.minusOneToOne.apply(0, channel: 0) == -1)
    #expect(Normalization.minusOneToOne.apply(255, channel: 0) == 1)
    #expect(Normalization.zeroToOne.apply(255, channel: 0) == 1)
    #expect(Normalization.unchanged.apply(255, channel: 0) == 255)
  }

  @Test func impossibleConstants() {
    let bad: [([Float], [Float])] = [
      ([0.5], [0]), ([0.5], [-1]), ([.nan], [1]), ([0.5], [.nan]), ([0.5], [.infinity]), ([.infinity], [1]),
      ([], [1]), ([0.5, 0.5], [1]), ([0.5], [1, 1, 1, 1]), ([0], [.leastNonzeroMagnitude]),
    ]
    for (mean, std) in bad {
      #expect(
        configurationRefused { () throws(ApusError) in _ = try Normalization.meanStd(inUnitsOfOne: mean, std)
        })
      #expect(
        configurationRefused { () throws(ApusError) in
          _ = try Normalization.meanStd(inUnitsOfBytes: mean, std)
        })
    }
    for (scale, offset) in [(Float(0), Float(0)), (.nan, 0), (1, .infinity)] {
      #expect(
        configurationRefused { () throws(ApusError) in
          _ = try Normalization.scaleOffset(perByteStep: scale, offset: offset)
        })
    }
  }

  @Test func wrongUnits() {
    #expect(
      configurationRefused { () throws(ApusError) in
        _ = try Normalization.meanStd(inUnitsOfOne: [127.5], [127.5])
      })
    #expect(
      configurationRefused { () throws(ApusError) in
        _ = try Normalization.meanStd(inUnitsOfBytes: [0.5], [0.5])
      })
  }

  private func configurationRefused(_ body: () throws(ApusError) -> Void) -> Bool {
    do throws(ApusError) {
      try body()
      return false
    } catch {
      return error.kind == .configuration
    }
  }
}
