/// Extensions of x86-64 and arm64 that kernels use, or could, by the names that Linux gives them.
package enum Instruction: String, CaseIterable, Sendable {
  case avx2, fma, f16c
  case avx512f, avx512bw, avx512dq, avx512vl
  case avx512vnni = "avx512_vnni"
  case avx512bf16 = "avx512_bf16"
  case avxvnni = "avx_vnni"
  case avx512vbmi
  case avx512fp16 = "avx512_fp16"
  case avxvnniInt8 = "avx_vnni_int8"
  case gfni
  case amxInt8 = "amx_int8"
  case amxBF16 = "amx_bf16"
  case asimddp, i8mm, bf16

  /// What it would do for kernels.
  package var use: String {
    switch self {
    case .avx2, .fma, .f16c, .avx512f, .avx512bw, .avx512dq, .avx512vl: "vectors"
    case .avx512vnni, .avxvnni, .asimddp: "products of bytes"
    case .avx512bf16: "products of bfloat16"
    case .avx512vbmi: "permutations of bytes"
    case .avx512fp16: "products of float16"
    case .avxvnniInt8: "products of signed bytes"
    case .gfni: "permutations of bits"
    case .amxInt8: "products of tiles of bytes"
    case .amxBF16: "products of tiles of bfloat16"
    case .i8mm: "products of blocks of bytes"
    case .bf16: "products of blocks of bfloat16"
    }
  }

  /// Whether it is one of arm64.
  private var isOfArm: Bool { [.asimddp, .i8mm, .bf16].contains(self) }

  /// Whether it is one of the architecture that the program is compiled for.
  package var isOfThisArchitecture: Bool {
    #if arch(arm64)
      return isOfArm
    #else
      return !isOfArm
    #endif
  }

  /// The bit by which CPUID, or Linux on arm64, tells of it.
  private var bit: (register: KeyPath<ProcessorRegisters, UInt32>, Int) {
    switch self {
    case .fma: (\.leaf1ECX, 12)
    case .f16c: (\.leaf1ECX, 29)
    case .avx2: (\.leaf7EBX, 5)
    case .avx512f: (\.leaf7EBX, 16)
    case .avx512dq: (\.leaf7EBX, 17)
    case .avx512bw: (\.leaf7EBX, 30)
    case .avx512vl: (\.leaf7EBX, 31)
    case .avx512vbmi: (\.leaf7ECX, 1)
    case .gfni: (\.leaf7ECX, 8)
    case .avx512vnni: (\.leaf7ECX, 11)
    case .amxBF16: (\.leaf7EDX, 22)
    case .avx512fp16: (\.leaf7EDX, 23)
    case .amxInt8: (\.leaf7EDX, 25)
    case .avxvnni: (\.leaf7Part1EAX, 4)
    case .avx512bf16: (\.leaf7Part1EAX, 5)
    case .avxvnniInt8: (\.leaf7Part1EDX, 4)
    case .asimddp: (\.capabilities, 20)
    case .i8mm: (\.capabilities2, 13)
    case .bf16: (\.capabilities2, 14)
    }
  }

  /// The register states that the operating system must save: 128 and 256 bits; masks and 512 bits; tiles.
  private var states: UInt64 {
    switch self {
    case .avx2, .fma, .f16c, .avxvnni, .avxvnniInt8, .gfni: 0x6
    case .amxInt8, .amxBF16: 0x6_0000
    case .asimddp, .i8mm, .bf16: 0
    default: 0xe6
    }
  }

  /// Whether the processor has it and the operating system lets it be used.
  func isUsable(_ registers: ProcessorRegisters) -> Bool {
    registers[keyPath: bit.register] & 1 << bit.1 != 0 && registers.savedStates & states == states
  }
}

/// What CPUID, by its leaves, and XGETBV say of a processor, and Linux of one of arm64.
package struct ProcessorRegisters: Sendable {
  package var leaf1ECX: UInt32 = 0
  package var leaf7EBX: UInt32 = 0
  package var leaf7ECX: UInt32 = 0
  package var leaf7EDX: UInt32 = 0
  package var leaf7Part1EAX: UInt32 = 0
  package var leaf7Part1EDX: UInt32 = 0
  /// The lower halves of `AT_HWCAP` and `AT_HWCAP2`.
  package var capabilities: UInt32 = 0
  package var capabilities2: UInt32 = 0
  /// The register states that the operating system saves; 0 when it saves none.
  package var savedStates: UInt64 = 0

  package init() {}
}
