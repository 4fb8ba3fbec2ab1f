import Apus
import ArgumentParser
import CommandSupport
import KernelBenchmarks
import Kernels
import Networks
import TensorCore

struct BenchKernels: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernels",
    abstract: "Measures each kernel on every instruction set, next to the peak of a core.",
    discussion: """
      Example: apus bench kernels --filter gemm
      Example: apus bench kernels --shape gemm:197x768x3072 --shape depthwise:28x28x192-k5-s2 --json

      Prints Markdown. Operands are in the caches where they fit. The ceiling of a kernel is what a core adds and \
      multiplies with the same instructions, or what it reads and writes of as many bytes, in loops that do nothing \
      else: whichever allows less. \
      '<--' marks the row that Apus picks here; `apus doctor --kernels` lists them.
      """)

  @Option(help: "Only kernels whose name contains this, such as 'gemm' or '197x768'.")
  var filter: String?

  @Option(
    help: ArgumentHelp(
      "A shape to use instead of the standard ones; repeatable. \(KernelFamily.shapeForms).",
      valueName: "family:extents"))
  var shape: [String] = []

  @Option(help: "Seconds per kernel variant.")
  var seconds = 0.2

  @Option(help: "Threads per run; peaks are for the same number of cores.")
  var threads = 1

  @Flag(
    help: """
      Fail if another variant beats the chosen one beyond noise in all three trials (exit code 1), or if the machine is \
      too busy to tell (exit code 6).
      """)
  var assert = false

  @Flag(help: "Print one JSON object per kernel.")
  var json = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  @Option(help: ArgumentHelp("Also write an HTML page with a roofline plot.", valueName: "file"))
  var html: String?

  func validate() throws {
    guard seconds > 0, seconds <= 60 else {
      throw ValidationError("--seconds \(seconds): more than 0, up to 60.")
    }
    guard threads >= 1 else { throw ValidationError("--threads \(threads): at least 1.") }
    guard !(json && csv) else { throw ValidationError("--json and --csv: choose one.") }
  }

  func run() throws {
    try OutputFile.check(html)
    let cases = try chosenCases()
    MachineState.warn()
    let threads = ThreadList(self.threads).resolve()[0]
    // What `APUS_ISA` asks for is there, or nothing is measured.
    _ = try KernelSet.selected()
    let ceilings = try Ceilings.measure()
    let report = self.report
    report.begin(ceilings, threads: threads)
    var verdict = PickVerdict()
    for kernel in cases {
      var (result, conditions) = try measure(kernel, ceilings)
      // Most of what disturbs is over soon, and operands lie elsewhere the next time: only what is faster each time is.
      for _ in 0..<2 where assert && (conditions.isDisturbed || result.betterThanPicked != nil) {
        (result, conditions) = try measure(kernel, ceilings)
      }
      report.add(result)
      verdict.add(result, conditions)
    }
    try report.finish()
    if assert { try require(verdict) }
  }

  private func measure(
    _ kernel: KernelCase, _ ceilings: Ceilings
  ) throws(ApusError) -> (KernelResult, Conditions) {
    var sampler = Sampler()
    sampler.secondsEach = seconds
    let watch = ConditionsWatch(threads: ModelOptions.effectiveThreads(kernel.threads))
    let result = try KernelResult(kernel, sampler: sampler, ceilings: ceilings)
    return (result, watch.conditions)
  }

  private func require(_ verdict: PickVerdict) throws {
    for line in verdict.beaten { StandardStreams.report("apus: \(line)") }
    if !verdict.undecided.isEmpty {
      StandardStreams.report(
        """
        apus: cannot tell of \(verdict.undecided.count) kernels, as other programs used the processors meanwhile: \
        \(verdict.undecided.joined(separator: ", ")). Measure again while nothing else runs.
        """)
    }
    switch verdict.outcome {
    case .fastest: break
    case .beaten: throw ExitCode.failure
    case .undecided: throw ExitStatus.undecided.code
    }
  }

  private var report: any KernelReport {
    guard let html else { return printedReport }
    return KernelPage(path: html, besides: printedReport)
  }

  private var printedReport: any KernelReport {
    if json { return KernelJSON() }
    return csv ? KernelCSV() : KernelMarkdown()
  }

  private func chosenCases() throws(ApusError) -> [KernelCase] {
    var shapes = KernelCases.standardShapes
    if !shape.isEmpty {
      shapes = []
      for text in shape { shapes.append(try KernelShape(parsing: text)) }
    }
    var cases: [KernelCase] = []
    for shape in shapes { cases += try KernelCases.cases(of: shape, threads: threads) }
    let example = cases.first?.name ?? ""
    if let filter { cases.removeAll { !$0.name.contains(filter) } }
    guard !cases.isEmpty else {
      throw ApusError(
        .argument, "no kernel's name contains '\(filter ?? "")'",
        expected: "a part of a name such as '\(example)'")
    }
    return cases
  }
}
