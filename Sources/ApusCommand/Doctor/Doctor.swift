import ArgumentParser
import CLibrary
import CommandSupport
import Kernels
import ProcessSeal
import TensorCore

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Shows what Apus found on this machine and what may slow it down.",
    discussion: """
      Example: apus doctor
      Example: apus doctor --kernels
      Example: apus doctor --privacy
      Example: apus doctor --html machine.html
      """)

  @Flag(help: "List all kernels by family and instruction set, and mark those in use.")
  var kernels = false

  @Flag(help: "List the instruction sets that APUS_ISA accepts on this machine, slowest first.")
  var instructionSets = false

  @Flag(
    help: "Try every way to reach the network and print the kernel's answers. Exit code 5 if one succeeds.")
  var privacy = false

  @Flag(help: "Print everything as one JSON object.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write an HTML page about the machine and the models on it.", valueName: "file"))
  var html: String?

  func validate() throws {
    if [kernels, instructionSets, privacy].count(where: { $0 }) > 1 {
      throw ValidationError("--kernels, --instruction-sets, --privacy: choose one.")
    }
  }

  func run() throws {
    try OutputFile.check(html)
    if let html { try MachinePage(MachineReport(), ModelsReport([])).write(to: html) }
    if privacy {
      let report = PrivacyReport(Privacy.verify())
      if json { StandardStreams.print(report.json) } else { report.print() }
      if !report.isPassing { throw ExitStatus.someFailed.code }
    } else if json {
      StandardStreams.print(try MachineReport().json)
    } else if instructionSets {
      for set in KernelSet.available { StandardStreams.printLine(set.name) }
    } else if kernels {
      try KernelRows().table.print()
    } else {
      try MachineReport().print()
    }
  }
}
