import CIntrinsics
import TensorCore

/// What the processor and the operating system offer that matters here.
package struct ProcessorFeatures: Sendable {
  package let instructions: Set<Instruction>
  /// What the processor calls itself.
  package let model: String

  package static let host: ProcessorFeatures = {
    #if arch(x86_64)
      return ProcessorFeatures(.host, model: brand)
    #else
      return ProcessorFeatures(.systemCapabilities, model: identification)
    #endif
  }()

  package init(_ registers: ProcessorRegisters, model: String) {
    instructions = Set(Instruction.allCases.filter { $0.isUsable(registers) })
    self.model = model
  }

  #if arch(x86_64)
    private static var brand: String {
      guard apus_cpuid(0x8000_0000, 0).eax >= 0x8000_0004 else { return "unknown" }
      let registers = (UInt32(0x8000_0002)...0x8000_0004).flatMap { leaf -> [UInt32] in
        let r = apus_cpuid(leaf, 0)
        return [r.eax, r.ebx, r.ecx, r.edx]
      }
      let bytes = registers.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).trimmed
    }
  #endif
}

extension ProcessorFeatures {
  /// What Linux tells of the first processor of arm64, which has no name: its maker's number and its own.
  private static var identification: String {
    let path = "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1"
    return KernelFile.text(path).map { "arm64, MIDR \($0.trimmed)" } ?? "unknown"
  }
}

extension ProcessorRegisters {
  /// What Linux tells every process: on arm64 which instructions there are.
  fileprivate static var systemCapabilities: ProcessorRegisters {
    var registers = ProcessorRegisters()
    registers.capabilities = UInt32(truncatingIfNeeded: apus_capabilities())
    registers.capabilities2 = UInt32(truncatingIfNeeded: apus_capabilities2())
    return registers
  }
}

#if arch(x86_64)
  extension ProcessorRegisters {
    fileprivate static var host: ProcessorRegisters {
      var registers = ProcessorRegisters()
      let first = apus_cpuid(1, 0)
      registers.leaf1ECX = first.ecx
      // Without this bit XGETBV does not exist, and nobody saves vectors.
      if first.ecx & 1 << 27 != 0 { registers.savedStates = apus_xgetbv() }
      guard apus_cpuid(0, 0).eax >= 7 else { return registers }
      let extended = apus_cpuid(7, 0)
      registers.leaf7EBX = extended.ebx
      registers.leaf7ECX = extended.ecx
      registers.leaf7EDX = extended.edx
      guard extended.eax >= 1 else { return registers }
      let more = apus_cpuid(7, 1)
      registers.leaf7Part1EAX = more.eax
      registers.leaf7Part1EDX = more.edx
      return registers
    }
  }
#endif
