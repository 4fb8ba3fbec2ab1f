import Kernels
import TensorCore

/// What a mapped file is known by from one run of a program to the next.
///
/// The digest covers device, inode, size, the times of the last change to the content and to the file, in
/// nanoseconds, the first 256 KiB (the header of a safetensors file) and 64 samples of 4 KiB spread evenly. Reading
/// all of a model would cost as much as loading it. The price: a file that is changed in place within the clock's
/// step, at the same size and in none of the samples, passes for the old one.
package enum FileIdentity {
  private static let headBytes = 256 << 10
  private static let sampleBytes = 4 << 10
  private static let sampleCount = 64

  package static func digest(of file: MappedFile) -> ContentDigest {
    var builder = DigestBuilder()
    let version = file.version
    for fact in [version.device, version.inode, version.byteCount, version.modified, version.changed] {
      builder.add(fact)
    }
    let bytes = UnsafeRawBufferPointer(start: file.storage.base, count: file.byteCount)
    func add(_ first: Int, _ count: Int) {
      let range = min(first, bytes.count)..<min(first + count, bytes.count)
      builder.add(ContentDigest(UnsafeRawBufferPointer(rebasing: bytes[range])))
    }
    add(0, headBytes)
    let step = max(1, (bytes.count - sampleBytes) / sampleCount)
    for sample in 0..<sampleCount { add(sample * step, sampleBytes) }
    add(max(0, bytes.count - sampleBytes), sampleBytes)
    withExtendedLifetime(file) {}
    return builder.digest
  }
}
