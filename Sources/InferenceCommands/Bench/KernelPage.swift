import CLibrary
import CommandSupport
import HTMLReport
import KernelBenchmarks
import Kernels
import TensorCore

/// Results of kernels as one self-contained HTML page: what each reaches beside what the core can do.
final class KernelPage: KernelReport {
  private let path: String
  private let other: any KernelReport
  private var ceilings: Ceilings?
  private var threads = 1
  private var results: [KernelResult] = []

  /// - Parameter other: gets all results, too.
  init(path: String, besides other: any KernelReport) {
    self.path = path
    self.other = other
  }

  func begin(_ ceilings: Ceilings, threads: Int) {
    self.ceilings = ceilings
    self.threads = threads
    other.begin(ceilings, threads: threads)
  }

  func add(_ result: KernelResult) {
    results.append(result)
    other.add(result)
  }

  func finish() throws {
    try other.finish()
    try OutputFile.write(Array(html.utf8), to: path)
  }

  private var html: String {
    let processor = ProcessorFeatures.host.model
    return Page(
      title: "Kernels on \(processor) – Apus",
      body: [
        .masthead(
          kicker: ["Apus \(ApusVersion.current) · kernels"], headline: [.text(headline)],
          standfirst: [.text("\(processor), \(NumberText.count(threads, "thread")), operands in the caches")]),
        .section(
          "Arithmetic",
          about: [
            """
            Each point is a kernel as Apus picks it here. None can lie above the line of its number format; one to the \
            left of the slope reads its operands from a cache, which is faster than memory.
            """
          ], [.figure(chart)]),
        .section(
          "All kernels",
          about: [
            """
            The ceiling is what a core adds and multiplies with the instructions of that way, or what it moves of as many \
            bytes: whichever allows less.
            """
          ],
          [table]),
      ]
    ).html
  }

  private var headline: String {
    let shares = results.compactMap { result in
      result.variants.first(where: \.isPicked).map { result.share($0) }
    }.sorted()
    guard !shares.isEmpty else { return "No kernel was measured" }
    let median = NumberText.significant(100 * shares[shares.count / 2], 2)
    return "Half of \(shares.count) kernels reach \(median) % of what a core can do, or more"
  }

  private var chart: RooflineChart {
    let points = results.compactMap { result -> RooflineChart.Point? in
      guard let picked = result.variants.first(where: \.isPicked), let intensity = result.work.intensity,
        case .operations(_, let arithmetic) = result.work.kind,
        let index = Arithmetic.allCases.firstIndex(of: arithmetic)
      else { return nil }
      return RooflineChart.Point(
        Series(arithmetic.rawValue, index), name: result.name, intensity: intensity,
        gigaflops: result.work.rate(nanoseconds: picked.samples.minimum))
    }
    let limits = Arithmetic.allCases.compactMap { arithmetic in
      ceilings?.picked(arithmetic).map { RooflineChart.Ceiling(arithmetic.rawValue, gigaflops: $0) }
    }
    return RooflineChart(
      title: "What kernels reach",
      summary:
        "Rates of \(points.count) kernels against their operations for each byte, with the core's ceilings.",
      ceilings: limits, bandwidth: ceilings?.bandwidth.last?.gigabytes ?? 0, points: points)
  }

  private var table: Markup {
    var table = DataTable(
      caption: "Shortest times", isSortable: true,
      [
        (["Kernel"], .text), (["Way"], .text), (["Microseconds"], .number), (["Rate"], .number),
        (["Of the ceiling"], .number),
      ])
    for result in results {
      for variant in result.variants {
        let rate = result.work.rate(nanoseconds: variant.samples.minimum)
        let name: Markup = variant.isPicked ? .strong([.text(variant.name)]) : .text(variant.name)
        table.append([
          [.text(result.name)], [name], [.text(NumberText.significant(variant.samples.minimum / 1000, 3))],
          [.text("\(NumberText.significant(rate, 3)) \(result.work.unit)")],
          [.text("\(NumberText.significant(100 * result.share(variant), 2)) %")],
        ])
      }
    }
    return table.markup
  }
}
