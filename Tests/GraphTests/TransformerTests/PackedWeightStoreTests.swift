import Foundation
import Graph
import Kernels
import TensorCore
import TestSupport
import Testing

/// Graphs of one model for other token counts share packed weights, in memory and from one start to the next.
@Suite struct PackedWeightStoreTests {
  static let formats = Precision.allCases.filter(\.isAvailable)

  @Test(arguments: formats)
  func packingIsDoneOnce(_ precision: Precision) throws {
    var random = SeededRandom()
    let store = PackedWeightStore()
    var test = LinearCase(shape: [5, 40], columns: [33, 20], storage: .float16, precision: precision)
    let operands = try test.operands(&random)
    let alone = try test.run(operands)
    test.store = store
    #expect(try test.run(operands) == alone)
    let size = store.byteCount
    #expect(size > 0)
    var longer = test
    longer.shape = [9, 40]
    var more = operands
    more.x = try Tensor(random.floats(9 * 40), shape: Shape([9, 40]))
    _ = try longer.run(more)
    // The same elements in other memory are the same weights.
    more.weights = try more.weights.map { weight in
      try Tensor(weight.type) { target in weight.withBytes { target.copyMemory(from: $0) } }
    }
    #expect(
      try test.run(LinearCase.Operands(x: operands.x, weights: more.weights, biases: more.biases)) == alone)
    #expect(store.byteCount == size)
    // Other weights, another bias and another precision are not.
    more.biases[1] = try LinearCase.stored(random.floats(20), [20], as: .float16, &random)
    _ = try longer.run(more)
    #expect(store.byteCount == 2 * size)
    more.weights.reverse()
    more.biases.reverse()
    longer.columns.reverse()
    _ = try longer.run(more)
    #expect(store.byteCount == 3 * size)
  }

  /// Elements of a mapped file are known by the file and their place, whichever tensor names them.
  @Test func mappedElementsAreFoundAgain() throws {
    let folder = try TemporaryFolder()
    var random = SeededRandom()
    let store = PackedWeightStore()
    let elements = random.floats(2 * 24 * 16)
    let path = try folder.write("weights", elements.withUnsafeBytes { Array($0) })
    let test = LinearCase(shape: [3, 16], columns: [24], hasBias: false, store: store)
    var operands = try test.operands(&random)
    let file = try MappedFile(path)
    for _ in 0..<3 {
      operands.weights = [try mapped(file, 0)]
      _ = try test.run(operands)
    }
    let size = store.byteCount
    operands.weights = [try mapped(file, 4 * 24 * 16)]
    let second = try test.run(operands)
    #expect(store.byteCount == 2 * size)
    operands.weights = [try Tensor(Array(elements[(24 * 16)...]), shape: Shape([24, 16]))]
    #expect(try test.run(operands) == second)
    // The same file mapped anew is known, another file with the same bytes is not.
    operands.weights = [try mapped(MappedFile(path), 0)]
    _ = try test.run(operands)
    #expect(store.byteCount == 3 * size)
    let copy = try folder.write("copy", elements.withUnsafeBytes { Array($0) })
    operands.weights = [try mapped(MappedFile(copy), 0)]
    _ = try test.run(operands)
    #expect(store.byteCount == 4 * size)
  }

  private func mapped(_ file: MappedFile, _ offset: Int) throws -> Tensor {
    try Tensor(TensorType(.float32, Shape([24, 16])), storage: file.storage, byteOffset: offset)
  }
}
