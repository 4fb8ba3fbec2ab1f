/// What kernels are compiled for: a target each, whose flags in `Package.swift` are these instructions. Of each
/// architecture the slowest first; the baseline is of all.
package enum InstructionSet: String, CaseIterable, Sendable {
  case baseline, avx2, avxvnni, avx512, avx512vnni, avx512vbmi, avx512bf16
  case dotprod, i8mm, bf16

  package var requires: Set<Instruction> {
    switch self {
    case .baseline: []
    case .avx2: [.avx2, .fma, .f16c]
    case .avxvnni: Self.avx2.requires.union([.avxvnni])
    case .avx512: Self.avx2.requires.union([.avx512f, .avx512bw, .avx512dq, .avx512vl])
    case .avx512vnni: Self.avx512.requires.union([.avx512vnni])
    case .avx512vbmi: Self.avx512vnni.requires.union([.avx512vbmi])
    case .avx512bf16: Self.avx512vnni.requires.union([.avx512bf16])
    case .dotprod: [.asimddp]
    case .i8mm: Self.dotprod.requires.union([.i8mm])
    case .bf16: [.bf16]
    }
  }

  /// Those of the architecture that the program is compiled for.
  package static var ofThisArchitecture: [InstructionSet] {
    allCases.filter { $0.requires.allSatisfy(\.isOfThisArchitecture) }
  }

  /// What of it is missing among some instructions, in a fixed order.
  package func missing(in instructions: Set<Instruction>) -> [Instruction] {
    Instruction.allCases.filter { requires.contains($0) && !instructions.contains($0) }
  }
}
