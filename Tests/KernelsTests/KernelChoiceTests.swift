import Kernels
import TensorCore
import Testing

/// Which kernels a processor gets, by what CPUID says of it.
@Suite(
  .enabled(
    if: InstructionSet.ofThisArchitecture.contains(.avx2)
      && Set(NumericFamily.allCases.flatMap(\.sets)).count == InstructionSet.ofThisArchitecture.count,
    "rows that this processor cannot run were not compiled; APUS_PROCESSOR=all has them"))
struct KernelChoiceTests {
  /// A processor by the bits of CPUID's leaves.
  private static func processor(_ instructions: [(WritableKeyPath<ProcessorRegisters, UInt32>, [Int])])
    -> ProcessorRegisters
  {
    var registers = ProcessorRegisters()
    for (register, bits) in instructions { for bit in bits { registers[keyPath: register] |= 1 << bit } }
    registers.savedStates = 0xe7
    return registers
  }

  // FMA, F16C; AVX2; AVX-512 F, DQ, BW, VL; the rest as the manuals number it.
  private static let haswell = processor([(\.leaf1ECX, [12, 29]), (\.leaf7EBX, [5])])
  private static let skylakeX = processor([(\.leaf1ECX, [12, 29]), (\.leaf7EBX, [5, 16, 17, 30, 31])])
  private static var cascadeLake: ProcessorRegisters {
    var registers = skylakeX
    registers.leaf7ECX = 1 << 11
    return registers
  }
  private static var alderLake: ProcessorRegisters {
    var registers = haswell
    (registers.leaf7ECX, registers.leaf7Part1EAX) = (1 << 8, 1 << 4)
    return registers
  }
  private static var zen4: ProcessorRegisters {
    var registers = skylakeX
    (registers.leaf7ECX, registers.leaf7Part1EAX) = (1 << 1 | 1 << 8 | 1 << 11, 1 << 5)
    return registers
  }
  private static var cooperLake: ProcessorRegisters {
    var registers = cascadeLake
    registers.leaf7Part1EAX = 1 << 5
    return registers
  }
  private static var sapphireRapids: ProcessorRegisters {
    var registers = zen4
    (registers.leaf7EDX, registers.savedStates) = (1 << 22 | 1 << 23 | 1 << 25, 0x6_00e7)
    registers.leaf7Part1EAX |= 1 << 4
    return registers
  }

  private func instructions(_ registers: ProcessorRegisters) -> Set<Instruction> {
    ProcessorFeatures(registers, model: "").instructions
  }

  @Test func processorsGetTheirBestRows() {
    for (registers, float, integer, bfloat16, name) in [
      (
        ProcessorRegisters(), InstructionSet.baseline, InstructionSet.baseline, InstructionSet.baseline,
        "baseline"
      ),
      (Self.haswell, .avx2, .avx2, .avx2, "avx2"), (Self.alderLake, .avx2, .avxvnni, .avx2, "avxvnni"),
      (Self.skylakeX, .avx512, .avx512, .avx512, "avx512"),
      (Self.cascadeLake, .avx512, .avx512vnni, .avx512, "avx512vnni"),
      (Self.zen4, .avx512, .avx512vbmi, .avx512bf16, "avx512bf16"),
      (Self.cooperLake, .avx512, .avx512vnni, .avx512bf16, "avx512bf16"),
      (Self.sapphireRapids, .avx512, .avx512vbmi, .avx512bf16, "avx512bf16"),
    ] {
      let choice = KernelChoice(for: instructions(registers))
      #expect(choice[.float] == float && choice[.integer] == integer && choice[.bfloat16] == bfloat16)
      #expect(choice.name == name)
    }
  }

  /// Instructions whose registers are lost when another process runs are as if they were not there.
  @Test func theSystemMustSaveTheRegisters() {
    for (states, name) in [
      (UInt64(0x7), "avxvnni"), (0x3, "baseline"), (0, "baseline"), (0xe7, "avx512bf16"),
    ] {
      var registers = Self.sapphireRapids
      registers.savedStates = states
      #expect(KernelChoice(for: instructions(registers)).name == name)
      #expect(!instructions(registers).contains(.amxInt8))
    }
    #expect(instructions(Self.sapphireRapids).isSuperset(of: [.amxInt8, .amxBF16, .avx512fp16, .gfni]))
  }

  @Test func textsChoose() throws {
    let zen4 = instructions(Self.zen4)
    for (text, float, integer, bfloat16) in [
      ("avx512vnni", InstructionSet.avx512, InstructionSet.avx512vnni, InstructionSet.avx512),
      ("avx512bf16", .avx512, .avx512vbmi, .avx512bf16), ("avx2", .avx2, .avx2, .avx2),
      ("integer=avx2", .avx512, .avx2, .avx512bf16),
      ("integer=avx512vnni,float=avx2", .avx2, .avx512vnni, .avx512bf16),
      ("baseline,bfloat16=avx512bf16", .baseline, .baseline, .avx512bf16),
    ] {
      let choice = try KernelChoice(text, on: zen4)
      #expect(choice[.float] == float && choice[.integer] == integer && choice[.bfloat16] == bfloat16)
      #expect(KernelChoice.isChoice(text))
      #expect(try KernelChoice(choice.name, on: zen4) == choice, "\(choice.name) means itself")
    }
  }

  @Test(arguments: [
    ("avx", "there are no kernels of the instruction set 'avx'", "baseline, avx2, avx512, avx512vnni"),
    ("", "there are no kernels of the instruction set ''", "baseline, avx2, avx512, avx512vnni"),
    ("avx2,", "there are no kernels of the instruction set ''", "baseline, avx2, avx512, avx512vnni"),
    ("AVX2", "there are no kernels of the instruction set 'AVX2'", "baseline, avx2, avx512, avx512vnni"),
    ("avx512bf16", "the processor lacks avx512_bf16", "baseline, avx2, avx512, avx512vnni"),
    ("integer=avxvnni", "the processor lacks avx_vnni", "baseline, avx2, avx512, avx512vnni"),
    (
      "float=avx512vnni", "there are no kernels of the instruction set 'avx512vnni'", "baseline, avx2, avx512"
    ),
    ("int8=avx2", "there is no family of kernels 'int8'", "float, integer, bfloat16"),
    ("=avx2", "there is no family of kernels ''", "float, integer, bfloat16"),
  ])
  func whatIsNotThereIsRefused(text: String, problem: String, expected: String) {
    let error = #expect(throws: ApusError.self) {
      try KernelChoice(text, on: instructions(Self.cascadeLake))
    }
    #expect(error?.kind == .argument && error?.problem.hasPrefix(problem) == true, "\(error?.problem ?? "")")
    #expect(error?.expected == expected)
  }

  @Test func onlyChoicesAreChoices() {
    for text in ["main", "avx", "", "integer=", "integer=avx2,", "int8=avx2", "avx2=avx2"] {
      #expect(!KernelChoice.isChoice(text), "\(text)")
    }
  }
}

/// What Linux's capabilities of arm64 mean, as `asm/hwcap.h` numbers them.
@Suite struct ArmInstructionTests {
  // Cortex-A72, Neoverse N1, Neoverse V1, and what no processor has.
  private static let processors: [(UInt32, UInt32, [InstructionSet])] = [
    (0x8ff, 0, []), (1 << 20, 0, [.dotprod]), (1 << 20, 0x6000, [.dotprod, .i8mm, .bf16]), (0, 0x2000, []),
    (1 << 20, 0x4000, [.dotprod, .bf16]),
  ]

  @Test(arguments: processors)
  func processorsHaveRows(capabilities: UInt32, more: UInt32, sets: [InstructionSet]) {
    var registers = ProcessorRegisters()
    (registers.capabilities, registers.capabilities2) = (capabilities, more)
    let instructions = ProcessorFeatures(registers, model: "").instructions
    let found = InstructionSet.allCases.filter { $0 != .baseline && $0.missing(in: instructions).isEmpty }
    #expect(found == sets)
  }
}
