import CIntrinsics

/// The instruction sets of the processor and the operating system that matter here.
package struct ProcessorFeatures: Sendable {
  /// AVX2, FMA and F16C.
  package var avx2 = false
  /// AVX-512 F, BW, DQ and VL.
  package var avx512 = false
  /// AVX-512 VNNI and VBMI.
  package var vnni = false
  /// AVX-512 BF16.
  package var bfloat16 = false
  /// What the processor calls itself.
  package var model = "unknown"

  package static let host = ProcessorFeatures()

  private init() {
    #if arch(x86_64)
      let basic = Self.cpuid(1, 0)
      let highest = Self.cpuid(0, 0).eax
      let osSavesVectors = basic.ecx & (1 << 27) != 0
      guard highest >= 7, osSavesVectors else { return }
      let saved = apus_xgetbv()
      let extended = Self.cpuid(7, 0)
      let fma = basic.ecx & (1 << 12) != 0
      let f16c = basic.ecx & (1 << 29) != 0
      avx2 = saved & 0x6 == 0x6 && extended.ebx & (1 << 5) != 0 && fma && f16c
      let wanted: UInt32 = 1 << 16 | 1 << 17 | 1 << 30 | 1 << 31
      avx512 = avx2 && saved & 0xe6 == 0xe6 && extended.ebx & wanted == wanted
      vnni = avx512 && extended.ecx & (1 << 11) != 0 && extended.ecx & (1 << 1) != 0
      bfloat16 = avx512 && extended.eax >= 1 && Self.cpuid(7, 1).eax & (1 << 5) != 0
      model = Self.brand
    #endif
  }

  #if arch(x86_64)
    private static func cpuid(_ leaf: UInt32, _ subleaf: UInt32) -> ApusCPUID { apus_cpuid(leaf, subleaf) }

    private static var brand: String {
      guard cpuid(0x8000_0000, 0).eax >= 0x8000_0004 else { return "unknown" }
      let registers = (UInt32(0x8000_0002)...0x8000_0004).flatMap { leaf -> [UInt32] in
        let r = cpuid(leaf, 0)
        return [r.eax, r.ebx, r.ecx, r.edx]
      }
      let bytes = registers.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).trimmed
    }
  #endif
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " { text.removeLast() }
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}
