import Testing

@testable import Models

/// How grids of tokens are divided into windows, in the order that the library's `torch.roll` and `window_partition` give.
@Suite struct WindowPartitionTests {
  private func partition(
    _ rows: Int, _ columns: Int, side: Int, isShifted: Bool = false
  ) -> WindowPartition {
    WindowPartition(rows: rows, columns: columns, side: side, isShifted: isShifted)
  }

  @Test func windowsLieSideBySide() {
    let windows = partition(4, 6, side: 2)
    #expect(windows.count == 6 && windows.area == 4 && !windows.isPadded)
    let expected: [Int?] = [
      0, 1, 6, 7, 2, 3, 8, 9, 4, 5, 10, 11, 12, 13, 18, 19, 14, 15, 20, 21, 16, 17, 22, 23,
    ]
    #expect(windows.tokens == expected)
    #expect(windows.kinds.count == 1 && windows.kindIndices == [0, 0, 0, 0, 0, 0])
  }

  @Test func shiftedWindowsTakeUpTheOtherEnd() {
    let windows = partition(4, 6, side: 2, isShifted: true)
    #expect(windows.shift == 1)
    let expected: [Int?] = [
      7, 8, 13, 14, 9, 10, 15, 16, 11, 6, 17, 12, 19, 20, 1, 2, 21, 22, 3, 4, 23, 18, 5, 0,
    ]
    #expect(windows.tokens == expected)
    #expect(windows.kindIndices == [0, 0, 1, 2, 2, 3])
    // Of the places 1 to 3 those that were not beside place 0 in the picture.
    let kinds = windows.kinds
    #expect(kinds.count == 4)
    let hidden = kinds.map { kind in (1..<4).map { windows.hides($0, from: 0, in: kind) } }
    #expect(hidden[0] == [false, false, false] && hidden[1] == [true, false, true])
    #expect(hidden[2] == [false, true, true] && hidden[3] == [true, true, true])
    #expect(!windows.hides(1, from: 3, in: kinds[1]) && windows.hides(1, from: 3, in: kinds[2]))
  }

  /// Of an odd side the smaller half.
  @Test func windowsOfAnOddSideMoveByTheSmallerHalf() {
    let windows = partition(14, 14, side: 7, isShifted: true)
    #expect(windows.shift == 3 && windows.tokens.first == 3 * 14 + 3)
    let last = windows.kinds[3]
    #expect(!windows.hides(3, from: 0, in: last) && windows.hides(4, from: 3, in: last))
    #expect(!windows.hides(5, from: 4, in: last) && windows.hides(28, from: 21, in: last))
  }

  @Test(arguments: [(4, 4), (4, 9), (9, 4)])
  func aGridAsSmallAsAWindowIsNotShifted(_ rows: Int, _ columns: Int) {
    let windows = partition(rows, columns, side: 4, isShifted: true)
    #expect(windows.shift == 0 && windows == partition(rows, columns, side: 4))
  }

  @Test(arguments: [false, true])
  func placesWithoutATokenAreNone(_ isShifted: Bool) {
    let windows = partition(3, 5, side: 2, isShifted: isShifted)
    #expect(windows.isPadded && windows.count == 6)
    let tokens = windows.tokens
    #expect(tokens.count == 24 && tokens.compactMap(\.self).sorted() == Array(0..<15))
    let first: [Int?] = isShifted ? [6, 7, 11, 12, 8, 9, 13, 14] : [0, 1, 5, 6, 2, 3, 7, 8]
    let last: [Int?] = isShifted ? [nil, nil, nil, 0] : [14, nil, nil, nil]
    #expect(Array(tokens.prefix(8)) == first && Array(tokens.suffix(4)) == last)
  }

  /// transformers' `SwinRelativePositionBias._create_relative_position_index` of windows of 2 × 2.
  @Test func stepsAreThoseOfTheLibrary() {
    let windows = partition(2, 2, side: 2)
    #expect(windows.steps == 9)
    let expected = [[4, 3, 1, 0], [5, 4, 2, 1], [7, 6, 4, 3], [8, 7, 5, 4]]
    for query in 0..<4 {
      #expect((0..<4).map { windows.step(query: query, key: $0) } == expected[query])
    }
  }
}
