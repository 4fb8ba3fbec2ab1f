import ArgumentParser
import CLibrary
import CommandSupport
import Kernels
import ProcessSeal
import TensorCore

struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Shows what Apus finds on this machine, and what slows it down.",
    discussion: """
      Example: apus doctor
      Example: apus doctor --kernels
      Example: apus doctor --privacy
      Example: apus doctor --html machine.html
      """)

  @Flag(help: "Print all kernels there are by family and instruction set, those in use marked.")
  var kernels = false

  @Flag(help: "Print the instruction sets that APUS_ISA may name here, one a line, the slowest first.")
  var instructionSets = false

  @Flag(
    help: "Try every way to the network, and print what the kernel answers. Exit code 5 where one is open.")
  var privacy = false

  @Flag(help: "Print one JSON object, with all of it.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write a page that any browser shows, of the machine and the models on it.", valueName: "file"))
  var html: String?

  func validate() throws {
    if [kernels, instructionSets, privacy].count(where: { $0 }) > 1 {
      throw ValidationError("--kernels, --instruction-sets, --privacy: one of them at a time.")
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
