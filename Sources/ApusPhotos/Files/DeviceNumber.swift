/// The two numbers of a device, which the C library puts together to the one that `stat` gives.
struct DeviceNumber: Sendable, Hashable {
  let major: UInt32
  let minor: UInt32

  init(major: UInt32, minor: UInt32) { (self.major, self.minor) = (major, minor) }

  /// - Parameter device: as `stat` gives it.
  init(_ device: Int) {
    let bits = UInt64(bitPattern: Int64(device))
    let low: (major: UInt64, minor: UInt64) = ((bits >> 8) & 0xFFF, bits & 0xFF)
    let high: (major: UInt64, minor: UInt64) = ((bits >> 32) & 0xFFFF_F000, (bits >> 12) & 0xFFFF_FF00)
    major = UInt32(truncatingIfNeeded: low.major | high.major)
    minor = UInt32(truncatingIfNeeded: low.minor | high.minor)
  }

  /// As `stat` gives it.
  var device: Int {
    let (major, minor) = (UInt64(major), UInt64(minor))
    let low: UInt64 = (minor & 0xFF) | ((major & 0xFFF) << 8)
    let high: UInt64 = ((minor & 0xFFFF_FF00) << 12) | ((major & 0xFFFF_F000) << 32)
    return Int(truncatingIfNeeded: low | high)
  }
}
