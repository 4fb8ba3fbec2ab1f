import CommandSupport
import KernelBenchmarks
import Kernels
import TensorCore

/// A form in which results of kernels are printed, each as soon as it is there.
protocol KernelReport: AnyObject {
  func begin(_ ceilings: Ceilings, threads: Int)
  func add(_ result: KernelResult)
  /// Called once after the last result.
  func finish() throws
}

extension KernelReport {
  func finish() {}
}

/// A table that can be pasted into a page of documentation.
final class KernelMarkdown: KernelReport {
  /// Columns as wide as the usual contents, so that the table can be read while it grows.
  private static let widths = [34, 10, 10, 10, 10, 14, 7, 3]

  func begin(_ ceilings: Ceilings, threads: Int) {
    StandardStreams.printLine(
      "Apus \(ApusVersion.current) on \(ProcessorFeatures.host.model), \(threads) thread\(threads == 1 ? "" : "s")."
    )
    let rates = Arithmetic.allCases.compactMap { arithmetic in
      let rates = ceilings.rows(of: arithmetic).map { "\($0.set) \(Format.decimal($0.rate, 0))" }
      return rates.isEmpty
        ? nil : "\(arithmetic.rawValue) \(rates.joined(separator: ", ")) \(arithmetic.unit)"
    }
    let reads = ceilings.bandwidth.map {
      "\(Format.decimal($0.gigabytes, 0)) GB/s from \(Format.bytes($0.byteCount))"
    }
    StandardStreams.printLine(
      "Ceilings of a core: \(rates.joined(separator: "; ")); reading \(reads.joined(separator: ", ")).")
    StandardStreams.printLine("")
    line(["kernel", "variant", "min µs", "median", "p95", "rate", "ceiling", ""])
    line(
      Self.widths.enumerated().map { index, width in
        let rule = String(repeating: "-", count: width - 1)
        return 2...6 ~= index ? rule + ":" : rule + "-"
      })
  }

  func add(_ result: KernelResult) {
    for (index, variant) in result.variants.enumerated() {
      let samples = variant.samples
      line([
        index == 0 ? result.name : "", variant.name, Self.microseconds(samples.minimum),
        Self.microseconds(samples.median), Self.microseconds(samples.quantile(0.95)),
        "\(Self.significant(result.work.rate(nanoseconds: samples.minimum))) \(result.work.unit)",
        "\(Format.decimal(100 * result.share(variant), 0)) %", variant.isPicked ? "<--" : "",
      ])
    }
  }

  private func line(_ cells: [String]) {
    let padded = zip(cells, Self.widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
      return 2...6 ~= index ? padding + cell.0 : cell.0 + padding
    }
    StandardStreams.printLine("| " + padded.joined(separator: " | ") + " |")
  }

  private static func microseconds(_ nanoseconds: Double) -> String { significant(nanoseconds / 1000) }

  /// Three digits that mean something.
  private static func significant(_ value: Double) -> String {
    Format.decimal(value, value >= 100 ? 0 : value >= 10 ? 1 : 2)
  }
}

/// One JSON object a line: first the ceilings, then each kernel.
final class KernelJSON: KernelReport {
  func begin(_ ceilings: Ceilings, threads: Int) {
    StandardStreams.print(
      JSON.object([
        ("processor", .string(ProcessorFeatures.host.model)), ("kernels", .string(KernelSet.best.name)),
        ("threads", .integer(threads)),
        (
          "ceilings",
          .object(
            Arithmetic.allCases.map { arithmetic in
              let rates = ceilings.rows(of: arithmetic).map { ($0.set.rawValue, JSON.number($0.rate)) }
              return (arithmetic.rawValue, .object(rates))
            }
              + [
                (
                  "read",
                  .array(
                    ceilings.bandwidth.map {
                      .object([
                        ("bytes", .integer($0.byteCount)), ("gigabytes_per_second", .number($0.gigabytes)),
                      ])
                    })
                )
              ])
        ), JSON.madeBy,
      ]))
  }

  func add(_ result: KernelResult) {
    let variants = result.variants.map { variant in
      JSON.object([
        ("name", .string(variant.name)), ("picked", .bool(variant.isPicked)),
        ("samples", .integer(variant.samples.nanoseconds.count)),
        ("min_ns", .number(variant.samples.minimum)), ("median_ns", .number(variant.samples.median)),
        ("p95_ns", .number(variant.samples.quantile(0.95))),
        ("rate", .number(result.work.rate(nanoseconds: variant.samples.minimum))),
        ("ceiling", .number(variant.ceiling)), ("share_of_ceiling", .number(result.share(variant))),
      ])
    }
    StandardStreams.print(
      JSON.object([
        ("kernel", .string(result.family.rawValue)), ("shape", .string(result.shape)),
        ("detail", .string(result.detail)), ("unit", .string(result.work.unit)),
        ("operations_per_byte", result.work.intensity.map(JSON.number) ?? .null),
        ("variants", .array(variants)), JSON.madeBy,
      ]))
  }
}

/// A line for each variant.
final class KernelCSV: KernelReport {
  func begin(_ ceilings: Ceilings, threads: Int) {
    StandardStreams.printLine(
      "kernel,shape,detail,variant,picked,samples,min_ns,median_ns,p95_ns,rate,unit,share_of_ceiling")
  }

  func add(_ result: KernelResult) {
    for variant in result.variants {
      let samples = variant.samples
      StandardStreams.printLine(
        [
          result.family.rawValue, result.shape, result.detail, variant.name, "\(variant.isPicked)",
          "\(samples.nanoseconds.count)", "\(samples.minimum)", "\(samples.median)",
          "\(samples.quantile(0.95))", "\(result.work.rate(nanoseconds: samples.minimum))", result.work.unit,
          "\(result.share(variant))",
        ].joined(separator: ","))
    }
  }
}
