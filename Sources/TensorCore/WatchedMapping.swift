import CLibrary
import Synchronization

/// A range of addresses whose pages may vanish: reading one that has gives zeros instead of the end of the
/// process, and is noted.
///
/// The kernel sends SIGBUS for a page of a mapping that lies behind the end of a file that shrank. The handler
/// installed with the first mapping puts a page of zeros there. SIGBUS for any other reason goes to the handler
/// that was there before. In the handler nothing is allocated or locked: it reads atomics and calls `mmap`.
package struct WatchedMapping: Sendable {
  private let slot: MappingSlot

  /// - Parameter byteCount: at least 1.
  package init(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    BusErrors.install()
    slot = MappingSlot.take(lower: Int(bitPattern: base), upper: Int(bitPattern: base) + byteCount)
  }

  /// Whether a page was missing when it was read.
  package var isDamaged: Bool { slot.isDamaged }

  /// Ends the watch; the range may be unmapped then.
  package func end() { slot.giveBack() }
}

/// An entry of the list of watched ranges. Entries are never freed, as a handler may be reading them, but used
/// again.
private struct MappingSlot: @unchecked Sendable {
  private struct Entry: ~Copyable {
    let isTaken = Atomic<Bool>(true)
    /// The first address; above every address while the entry is unused.
    let lower = Atomic<Int>(.max)
    let upper = Atomic<Int>(0)
    let damaged = Atomic<Bool>(false)
    /// The address of the next entry, 0 at the end.
    let next = Atomic<Int>(0)
  }

  private static let head = Atomic<Int>(0)
  private let entry: UnsafeMutablePointer<Entry>

  private init?(at address: Int) {
    guard let entry = UnsafeMutablePointer<Entry>(bitPattern: address) else { return nil }
    self.entry = entry
  }

  var isDamaged: Bool { entry.pointee.damaged.load(ordering: .acquiring) }

  /// An entry for a range: an unused one if there is any.
  static func take(lower: Int, upper: Int) -> MappingSlot {
    let slot = unused() ?? added()
    slot.entry.pointee.damaged.store(false, ordering: .relaxed)
    slot.entry.pointee.upper.store(upper, ordering: .releasing)
    slot.entry.pointee.lower.store(lower, ordering: .releasing)
    return slot
  }

  func giveBack() {
    entry.pointee.lower.store(.max, ordering: .releasing)
    entry.pointee.upper.store(0, ordering: .releasing)
    entry.pointee.isTaken.store(false, ordering: .releasing)
  }

  private static func unused() -> MappingSlot? {
    var slot = MappingSlot(at: head.load(ordering: .acquiring))
    while let current = slot {
      let (exchanged, _) = current.entry.pointee.isTaken.compareExchange(
        expected: false, desired: true, ordering: .acquiringAndReleasing)
      if exchanged { return current }
      slot = current.next
    }
    return nil
  }

  private static func added() -> MappingSlot {
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    entry.initialize(to: Entry())
    var first = head.load(ordering: .acquiring)
    while true {
      entry.pointee.next.store(first, ordering: .relaxed)
      let (exchanged, found) = head.compareExchange(
        expected: first, desired: Int(bitPattern: entry), ordering: .acquiringAndReleasing)
      if exchanged { return MappingSlot(entry: entry) }
      first = found
    }
  }

  private init(entry: UnsafeMutablePointer<Entry>) { self.entry = entry }

  private var next: MappingSlot? { MappingSlot(at: entry.pointee.next.load(ordering: .acquiring)) }

  /// Notes the damage of the range that holds an address.
  /// - Returns: the end of the range; nil when no range holds it.
  static func noteDamage(at address: Int) -> Int? {
    var slot = MappingSlot(at: head.load(ordering: .acquiring))
    while let current = slot {
      let lower = current.entry.pointee.lower.load(ordering: .acquiring)
      let upper = current.entry.pointee.upper.load(ordering: .acquiring)
      // An entry that changes hands meanwhile is not that of a range being read.
      if lower <= address, address < upper, current.entry.pointee.lower.load(ordering: .acquiring) == lower {
        current.entry.pointee.damaged.store(true, ordering: .releasing)
        return upper
      }
      slot = current.next
    }
    return nil
  }
}

/// The process's handler of SIGBUS.
private enum BusErrors {
  /// What was to be done with SIGBUS before.
  nonisolated(unsafe) private static let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 1)
  private static let pageSize = Int(getpagesize())

  /// Installs the handler, once.
  static func install() { _ = installed }

  private static let installed: Bool = {
    // The handler must find what it reads already made.
    previous.initialize(to: sigaction())
    guard pageSize > 0, MappingSlot.noteDamage(at: 0) == nil else { return false }
    guard sigaction(SIGBUS, nil, previous) == 0 else { return false }
    var action = sigaction()
    action.__sigaction_handler.sa_sigaction = { signal, information, context in
      BusErrors.handle(signal, information, context)
    }
    action.sa_flags = SA_SIGINFO | SA_ONSTACK
    sigemptyset(&action.sa_mask)
    return sigaction(SIGBUS, &action, nil) == 0
  }()

  private static func handle(
    _ signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?
  ) {
    let savedError = errno
    defer { errno = savedError }
    // Codes above 0 are faults, with an address; others were sent by a process.
    let isFault = (information?.pointee.si_code ?? 0) > 0
    let address = isFault ? Int(bitPattern: information?.pointee._sifields._sigfault.si_addr) : 0
    if isFault, let end = MappingSlot.noteDamage(at: address), replacePages(from: address, to: end) { return }
    passOn(signal, information, context, isFault: isFault)
  }

  /// Puts zeros in the place of the page that holds `address` and of all behind it: they are missing too.
  private static func replacePages(from address: Int, to end: Int) -> Bool {
    let start = address / pageSize * pageSize
    let pages = mmap(
      UnsafeMutableRawPointer(bitPattern: start), end - start, PROT_READ,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
    return pages != MAP_FAILED
  }

  private static func passOn(
    _ signal: Int32, _ information: UnsafeMutablePointer<siginfo_t>?, _ context: UnsafeMutableRawPointer?,
    isFault: Bool
  ) {
    let handler = previous.pointee.__sigaction_handler
    let plain = unsafeBitCast(handler.sa_handler, to: Int.self)
    // SIG_DFL is 0 and SIG_IGN is 1.
    if plain == 0 || plain == 1 {
      if plain == 1, !isFault { return }
      // The fault repeats, or the signal sent again ends the process as it would have without this handler.
      sigaction(SIGBUS, previous, nil)
      if !isFault { raise(SIGBUS) }
    } else if previous.pointee.sa_flags & SA_SIGINFO != 0 {
      handler.sa_sigaction?(signal, information, context)
    } else {
      handler.sa_handler?(signal)
    }
  }
}
