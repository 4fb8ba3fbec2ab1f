import Apus
import CLibrary

/// Memory that the caller frees: a struct, and all that it points to behind it.
///
/// Room is reserved first; when all is known, the memory is taken at once and filled.
struct Block {
  private(set) var byteCount = 0
  private var writes: [(UnsafeMutableRawPointer) throws(ApusError) -> Void] = []

  /// Where elements of tensors lie, so that vector instructions meet no line of the cache twice.
  static let alignment = 64

  /// Room for so many elements, zero where nothing is written.
  /// - Returns: where they will lie behind the beginning.
  mutating func reserve<Element>(_ type: Element.Type, count: Int = 1) throws(ApusError) -> Int {
    try reserve(byteCount: MemoryLayout<Element>.stride, count, alignment: MemoryLayout<Element>.alignment)
  }

  mutating func reserve(byteCount size: Int, _ count: Int = 1, alignment: Int) throws(ApusError) -> Int {
    let start = (byteCount + alignment - 1) / alignment * alignment
    let (bytes, isTooMuch) = size.multipliedReportingOverflow(by: count)
    let (end, isTooFar) = start.addingReportingOverflow(bytes)
    guard !isTooMuch, !isTooFar, end < Int.max - Self.alignment else {
      throw ApusError(.resources, "no memory for \(count) results")
    }
    byteCount = end
    return start
  }

  /// Has something written when there is memory.
  mutating func write(_ body: @escaping (UnsafeMutableRawPointer) throws(ApusError) -> Void) {
    writes.append(body)
  }

  /// Room for a text and the NUL behind it, and what writes it.
  mutating func add(_ text: String) throws(ApusError) -> Int { try add(Array(text.utf8) + [0]) }

  /// Room for elements, and what writes them.
  mutating func add<Element: BitwiseCopyable>(_ elements: [Element]) throws(ApusError) -> Int {
    let place = try reserve(Element.self, count: elements.count)
    write { base in
      elements.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return }
        (base + place).copyMemory(from: start, byteCount: bytes.count)
      }
    }
    return place
  }

  /// The memory, with everything in it.
  /// - Throws: ``ApusError`` of kind `resources` when the system has none; what a write throws.
  func make() throws(ApusError) -> UnsafeMutableRawPointer {
    var memory: UnsafeMutableRawPointer?
    guard posix_memalign(&memory, Self.alignment, max(byteCount, 1)) == 0, let memory else {
      throw ApusError(.resources, "no memory for \(byteCount) bytes")
    }
    memset(memory, 0, byteCount)
    do throws(ApusError) {
      for write in writes { try write(memory) }
    } catch {
      free(memory)
      throw error
    }
    return memory
  }
}

extension UnsafeMutableRawPointer {
  /// The address of a place in a block.
  func address<Element>(_ place: Int, of: Element.Type = Element.self) -> UnsafeMutablePointer<Element> {
    (self + place).assumingMemoryBound(to: Element.self)
  }
}
