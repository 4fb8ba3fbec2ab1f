import Apus
import ApusService
import CommandSupport
import HTMLReport
import TensorCore

/// The findings of `doctor` and the models on the machine as one self-contained HTML page.
struct MachinePage {
  private let machine: MachineReport
  private let models: ModelsReport
  private var device: DeviceCapabilities { models.device }

  init(_ machine: MachineReport, _ models: ModelsReport) {
    (self.machine, self.models) = (machine, models)
  }

  func write(to path: String) throws(ApusError) {
    try OutputFile.write(Array(FileName.readable(html).utf8), to: path)
  }

  private var html: String {
    let head: [Markup] = [
      .masthead(
        kicker: [.text("Apus \(ApusVersion.current) · machine")],
        headline: [.text("\(device.processor): tier \(device.tier.rawValue)")],
        standfirst: [.text("What models find on this machine, and which of them are here.")]),
      .keyFigures(figures),
    ]
    return Page(
      title: "Apus on \(device.processor)",
      body: head + [warningSection, rateSection, memorySection, modelSection, factSection].compactMap(\.self)
    ).html
  }

  private var figures: [(value: String, meaning: [Markup])] {
    [
      (NumberText.count(device.threads), [device.threads == 1 ? "thread" : "threads of an inference"]),
      (
        NumberText.bytes(device.memory.available),
        [.text("of memory free, by \(device.memory.narrowest.source)")]
      ),
      (NumberText.significant(device.rates.float32, 3), ["10⁹ operations a second in float32"]),
      (NumberText.count(models.models.count), [models.models.count == 1 ? "model found" : "models found"]),
    ]
  }

  private var warningSection: Markup? {
    guard !machine.warnings.isEmpty else { return nil }
    return .section(
      "Warnings", about: ["What makes Apus slower here than it could be."],
      machine.warnings.map { .warning("Slower than it could be", [.paragraph([.outside($0)])]) })
  }

  private var rateSection: Markup {
    let bars = Precision.allCases.compactMap { precision -> IntervalBarChart.Bar? in
      device.rates[precision].map {
        IntervalBarChart.Bar(
          Series(precision.rawValue, 0), $0, interval: nil, label: NumberText.significant($0, 3))
      }
    }
    let chart = IntervalBarChart(
      title: "Arithmetic", summary: "What all threads compute together in each precision.",
      axis: Axis("10⁹ additions and multiplications a second"),
      groups: [IntervalBarChart.Group(device.kernels.joined(separator: ", "), bars)])
    return .section(
      "Speed", about: ["Measured just now, on numbers in registers: what no model goes beyond."],
      [.figure(chart)])
  }

  private var memorySection: Markup {
    var table = DataTable(
      caption: "Limits of memory",
      [(["Limit"], .text), (["Bytes"], .number), (["Used"], .number), (["Free"], .number)])
    for bound in device.memory.bounds {
      table.append([
        [.outside("\(bound.source)")], [.text(NumberText.bytes(bound.limit))],
        [.text(NumberText.bytes(bound.used))], [.text(NumberText.bytes(bound.available))],
      ])
    }
    return .section("Memory", about: ["The limit that leaves the least counts."], [table.markup])
  }

  private var modelSection: Markup {
    guard !models.models.isEmpty else {
      return .section(
        "Models", [.paragraph(["None was found in the usual folders and in the Hugging Face cache."])])
    }
    var table = DataTable(
      caption: "Models on this machine",
      [
        (["Model"], .text), (["Kind"], .text), (["On disk"], .number), (["As stored"], .number),
        (["float32"], .number), (["bfloat16"], .number), (["int8"], .number), (["Here"], .text),
      ])
    for model in models.models {
      let name: [Markup] = [.outside(FileName.readable(model.name))],
        size = [Markup.text(NumberText.bytes(model.byteCount))]
      switch model.properties {
      case .failure(let error):
        table.append([name, ["refused"], size, ["–"], ["–"], ["–"], ["–"], [.outside(error.summary)]])
      case .success(let properties):
        let needs = properties.requirements
        let sizes = [properties.storedByteCount] + Precision.allCases.map { needs.weights[$0] }
        table.append(
          [name, [.text(properties.kind)], size] + sizes.map { [.text($0.map(NumberText.bytes) ?? "–")] }
            + [[.text(models.verdict(needs))]])
      }
    }
    return .section(
      "Models",
      about: [
        "Bytes of the weights in memory, in each precision that a model may be opened in, all its towers together."
      ],
      [table.markup])
  }

  private var factSection: Markup {
    .section("Details", [.facts(machine.facts.map { ($0.title, [.outside($0.text)]) })])
  }
}
