import CLibrary

/// Bytes right before a page that nobody may touch: what reads behind the last one ends the test.
package final class GuardedBytes {
  package let start: UnsafeMutablePointer<UInt8>
  private let pages: UnsafeMutableRawPointer
  private let length: Int

  /// - Returns: nil when the system has no memory.
  package init?(_ bytes: [UInt8]) {
    let page = Int(getpagesize())
    let room = (bytes.count + page - 1) / page * page
    guard let pages = mmap(nil, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      pages != MAP_FAILED
    else { return nil }
    (self.pages, length) = (pages, room + page)
    start = (pages + (room - bytes.count)).assumingMemoryBound(to: UInt8.self)
    start.initialize(from: bytes, count: bytes.count)
    guard mprotect(pages + room, page, PROT_NONE) == 0 else { return nil }
  }

  deinit { munmap(pages, length) }
}
