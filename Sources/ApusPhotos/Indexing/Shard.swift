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

  /// `1/4`.
  /// - Throws: ``ApusError`` of kind `argument` for what is no such part.
  public init(_ text: String) throws(ApusError) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1] else {
      throw ApusError(.argument, Setting.shard.given(text), expected: "two numbers, such as 1/4")
    }
    try self.init(number, of: count)
  }

  /// Whether a file is in this part.
  /// - Parameter path: from the folder that is indexed.
  func contains(_ path: String) -> Bool {
    let digest = FileName.bytes(path).withUnsafeBytes { ContentDigest($0) }
    return digest.words[0] % UInt64(count) == UInt64(number - 1)
  }
}
