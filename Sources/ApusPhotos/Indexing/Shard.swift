import Kernels
import TensorCore

/// One of several parts of a library that are indexed by themselves, on several computers say, and merged afterwards. A
/// file belongs to one of them by its path from the folder that is indexed.
public struct Shard: Sendable, Hashable {
  /// From 1.
  public let number: Int
  /// How many there are.
  public let count: Int

  /// - Throws: ``ApusError`` of kind `argument` unless `number` is one of 1 to `count`.
  public init(_ number: Int, of count: Int) throws(ApusError) {
    guard count > 0, (1...count).contains(number) else {
      throw ApusError(
        .argument, "shard \(number)/\(count)", expected: "a number from 1 to how many there are")
    }
    (self.number, self.count) = (number, count)
  }

  /// Whether a file is in this part.
  /// - Parameter path: from the folder that is indexed.
  func contains(_ path: String) -> Bool {
    let digest = FileName.bytes(path).withUnsafeBytes { ContentDigest($0) }
    return digest.words[0] % UInt64(count) == UInt64(number - 1)
  }
}
