import ArgumentParser
import Glibc
import Kernels
import TensorCore

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what Apus finds on this machine, and what slows it down.",
    discussion: """
      Example: apus doctor
      Example: apus doctor --kernels
      """)

  @Flag(help: "Print all kernels there are by family and instruction set, those in use marked.")
  var kernels = false

  @Flag(help: "Print the instruction sets that APUS_ISA may name here, one a line, the slowest first.")
  var instructionSets = false

  func run() throws {
    if instructionSets {
      for set in KernelSet.available { StandardStreams.printLine(set.name) }
    } else if kernels {
      Self.rows(try KernelSet.selected().choice, ProcessorFeatures.host.instructions).print()
    } else {
      try report()
    }
  }

  private func report() throws {
    let environment = ProcessEnvironment.variables
    var table = Table([("", .left), ("", .left)])
    table.append(["apus", ApusVersion.current])
    table.append(["build", BuildKind.description])
    table.append(["processor", ProcessorFeatures.host.model])
    let kernels = try KernelSet.selected()
    table.append(["kernels", "\(kernels.choice)"])
    table.append(["unused instructions", Self.unused(kernels.choice, ProcessorFeatures.host.instructions)])
    table.append(["OpenBLAS core", BLAS.coreName ?? "none"])
    table.append(["threads", "\(ThreadPool.shared.size)"])
    table.append(["processors allowed", "\(HostLimits.affinity)"])
    table.append(["control group quota", HostLimits.quota.map { "\($0) processors" } ?? "none"])
    for (name, path) in SystemLibraries.loaded { table.append([name, path]) }
    table.print()
    for warning in Self.warnings(environment) { StandardStreams.printLine("warning: \(warning)") }
  }

  /// The instructions of the processor, among those that kernels could use, that none in use was made for.
  private static func unused(_ choice: KernelChoice, _ instructions: Set<Instruction>) -> String {
    let used = Set(NumericFamily.allCases.flatMap { choice[$0].requires })
    let unused = Instruction.allCases.filter { instructions.contains($0) && !used.contains($0) }
    return unused.isEmpty ? "none" : unused.map { "\($0.rawValue) (\($0.use))" }.joined(separator: ", ")
  }

  /// Every row of every family, the slowest first.
  private static func rows(_ choice: KernelChoice, _ instructions: Set<Instruction>) -> Table {
    var table = Table([("family", .left), ("instruction set", .left), ("", .left)])
    for family in NumericFamily.allCases {
      for set in family.sets {
        let missing = set.missing(in: instructions).map(\.rawValue)
        let state =
          choice[family] == set
          ? "<-- in use"
          : missing.isEmpty ? "possible" : "the processor lacks \(missing.joined(separator: ", "))"
        table.append([family.rawValue, set.rawValue, state])
      }
    }
    return table
  }

  /// What in the environment makes Apus slower than the machine allows.
  private static func warnings(_ environment: [String: String]) -> [String] {
    var warnings = [BuildKind.warning].compactMap(\.self)
    if !BLAS.isAvailable {
      warnings.append("OpenBLAS is not installed: BATCH_MATMUL of float32 is slow, all else does without.")
    }
    for name in ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"] {
      if let value = environment[name] {
        warnings.append("\(name)=\(value) overrules OpenBLAS's own choice; unset it for full speed.")
      }
    }
    if let wanted = EnvironmentVariable.instructionSet.value(in: environment),
      KernelSet.best.choice != KernelSet.fastest.choice
    {
      warnings.append(
        "APUS_ISA=\(wanted) asks for other kernels than the fastest, \(KernelSet.fastest.name).")
    }
    if let quota = HostLimits.quota, quota < HostLimits.affinity {
      warnings.append("the control group grants \(quota) of \(HostLimits.affinity) processors.")
    }
    return warnings
  }
}
