import CIntrinsics

/// Grey of pixels of three bytes, as Pillow rounds it.
@inline(never)
func lighten(_ pixels: UnsafeRawPointer, _ grey: UnsafeMutableRawPointer, _ count: Int) {
  var pixel = 0
  while pixel &+ lanes <= count {
    apus_store_low_bytes(grey + pixel, apus_load_lightness(pixels + 3 &* pixel))
    pixel &+= lanes
  }
  while pixel < count {
    let bytes = pixels + 3 &* pixel
    let red = Int32(bytes.load(as: UInt8.self)), green = Int32(bytes.load(fromByteOffset: 1, as: UInt8.self))
    let blue = Int32(bytes.load(fromByteOffset: 2, as: UInt8.self))
    let light = (19595 &* red &+ 38470 &* green &+ 7471 &* blue &+ 0x8000) &>> 16
    grey.storeBytes(of: UInt8(truncatingIfNeeded: light), toByteOffset: pixel, as: UInt8.self)
    pixel &+= 1
  }
}
