import CLibrary

/// An event of a watched folder, or of a name in it.
struct InotifyEvent: Equatable {
  let watch: Int32
  let mask: UInt32
  /// A number that both events of a renaming share; 0 in others.
  let cookie: UInt32
  /// Empty where the folder itself is meant.
  let name: [UInt8]

  func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }

  /// All events in what was read, each a head of 16 bytes and a name that zeros follow. Half an event ends the list.
  static func events(in bytes: UnsafeRawBufferPointer) -> [InotifyEvent] {
    var events: [InotifyEvent] = []
    var place = 0
    while bytes.count - place >= MemoryLayout<inotify_event>.size {
      let head = { (offset: Int) in bytes.loadUnaligned(fromByteOffset: place + offset, as: UInt32.self) }
      let (start, length) = (place + MemoryLayout<inotify_event>.size, Int(head(12)))
      guard length <= bytes.count - start else { break }
      events.append(
        InotifyEvent(
          watch: Int32(bitPattern: head(0)), mask: head(4), cookie: head(8),
          name: Array(bytes[start..<start + length].prefix { $0 != 0 })))
      place = start + length
    }
    return events
  }
}
