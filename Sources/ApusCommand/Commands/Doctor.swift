import ArgumentParser
import Foundation
import Kernels

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows what Apus finds on this machine, and what slows it down.",
    discussion: "Example: apus doctor")

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    var table = Table([("", .left), ("", .left)])
    table.append(["processor", ProcessorFeatures.host.model])
    table.append(["instruction sets", KernelSet.available.map(\.name).joined(separator: ", ")])
    table.append(["kernels in use", KernelSet.best.name])
    table.append(["OpenBLAS core", BLAS.coreName])
    table.append(["threads", "\(ThreadPool.shared.size)"])
    table.append(["processors allowed", "\(HostLimits.affinity)"])
    table.append(["control group quota", HostLimits.quota.map { "\($0) processors" } ?? "none"])
    for (name, path) in SystemLibraries.loaded { table.append([name, path]) }
    table.print()
    EnvironmentNotes.report(environment)
    for warning in Self.warnings(environment) { StandardStreams.printLine("warning: \(warning)") }
  }

  /// What in the environment makes Apus slower than the machine allows.
  private static func warnings(_ environment: [String: String]) -> [String] {
    var warnings: [String] = []
    for name in ["OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"] {
      if let value = environment[name] {
        warnings.append("\(name)=\(value) overrules OpenBLAS's own choice; unset it for full speed.")
      }
    }
    if let set = environment["APUS_ISA"], let fastest = KernelSet.available.last, set != fastest.name {
      warnings.append("APUS_ISA=\(set) asks for other kernels than the fastest, \(fastest.name).")
    }
    if let quota = HostLimits.quota, quota < HostLimits.affinity {
      warnings.append("the control group grants \(quota) of \(HostLimits.affinity) processors.")
    }
    return warnings
  }
}
