/// 128 bits that tell contents apart, made at the speed of memory. Not cryptographic.
package struct ContentDigest: Hashable, Sendable {
  package var words: SIMD2<UInt64>

  package init(words: SIMD2<UInt64>) { self.words = words }

  /// The digest of bytes: that of one block, or that of the digests of its blocks of 1 MiB.
  package init(_ bytes: UnsafeRawBufferPointer, threads: Int = 1, kernels: KernelSet = .best) {
    guard bytes.count > Self.blockBytes else {
      self = Self.block(bytes, kernels)
      return
    }
    let count = (bytes.count + Self.blockBytes - 1) / Self.blockBytes
    let digests = [SIMD2<UInt64>](unsafeUninitializedCapacity: count) { digests, initialized in
      // Every thread writes elements of its own.
      nonisolated(unsafe) let blocks = digests
      ThreadPool.shared.parallel(count: count, grain: 1, threads: threads) { range, _ in
        for index in range {
          let end = min(bytes.count, (index + 1) * Self.blockBytes)
          blocks[index] =
            Self.block(UnsafeRawBufferPointer(rebasing: bytes[(index * Self.blockBytes)..<end]), kernels)
            .words
        }
      }
      initialized = count
    }
    self = digests.withUnsafeBytes { Self.block($0, kernels) }
  }

  private static let blockBytes = 1 << 20

  private static func block(_ bytes: UnsafeRawBufferPointer, _ kernels: KernelSet) -> ContentDigest {
    guard let address = bytes.baseAddress else { return ContentDigest(words: SIMD2(0, 0)) }
    var words: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &words) {
      guard let result = $0.bindMemory(to: UInt64.self).baseAddress else { return }
      kernels.integer.digest(address, bytes.count, result)
    }
    return ContentDigest(words: SIMD2(words.0, words.1))
  }

  /// 32 hexadecimal digits.
  package var hexadecimal: String {
    [words[0], words[1]].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// Gathers facts to make one digest of them.
package struct DigestBuilder {
  private var bytes: [UInt8] = []

  package init() {}

  package mutating func add(_ number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  package mutating func add(_ digest: ContentDigest) {
    add(Int(truncatingIfNeeded: digest.words[0]))
    add(Int(truncatingIfNeeded: digest.words[1]))
  }

  package var digest: ContentDigest { bytes.withUnsafeBytes { ContentDigest($0) } }
}
