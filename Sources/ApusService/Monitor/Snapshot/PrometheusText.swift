import Statistics

/// Samples in the text format that Prometheus reads (version 0.0.4), for what a program tells beside
/// ``PerformanceMonitor/prometheus``.
public struct PrometheusText: Sendable {
  /// The types of metrics.
  public enum Kind: String, Sendable { case counter, gauge, histogram, summary }

  /// The text so far.
  public private(set) var text = ""

  /// A page without samples.
  public init() {}

  /// Begins a metric, whose samples follow.
  public mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Adds a sample. The values of its labels are any text.
  public mutating func add(_ name: String, _ labels: [(String, String)] = [], _ value: String) {
    let pairs = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
    text += pairs.isEmpty ? "\(name) \(value)\n" : "\(name){\(pairs)} \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += #"\\"#
      case "\"": result += #"\""#
      case "\n": result += #"\n"#
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension PerformanceMonitor {
  /// The measurements now in Prometheus's format: the text of a `/metrics` page or of a file for the node exporter.
  ///
  /// `apus_inference_seconds` is a histogram by model and stage since the model is known, its bounds powers of two of a
  /// nanosecond; `apus_inference_quantile_seconds` has the quantiles of each window.
  public var prometheus: String {
    var page = PrometheusText()
    let recorders = known.map { (recorder: $0, state: $0.history()) }
    let snapshot = snapshot()
    page.begin("apus_inference_seconds", .histogram, "Time of a stage of an inference.")
    for (recorder, state) in recorders {
      for stage in InferenceStage.allCases {
        page.add(state.history.all[stage], [("model", recorder.model), ("stage", stage.rawValue)])
      }
    }
    page.begin(
      "apus_inference_quantile_seconds", .summary, "Quantiles of the time of a stage in the last minutes.")
    for model in snapshot.models { page.addQuantiles(model) }
    page.begin("apus_inference_failures_total", .counter, "Inferences that ended in an error.")
    for model in snapshot.models {
      page.add("apus_inference_failures_total", [("model", model.name)], "\(model.all.failures)")
    }
    page.begin("apus_inference_target_missed_total", .counter, "Inferences that took longer than the target.")
    for model in snapshot.models where model.targetMilliseconds != nil {
      page.add("apus_inference_target_missed_total", [("model", model.name)], "\(model.all.missed)")
    }
    page.begin("apus_inference_target_seconds", .gauge, "What an inference may take.")
    for model in snapshot.models {
      guard let target = model.targetMilliseconds else { continue }
      page.add("apus_inference_target_seconds", [("model", model.name)], "\(target / 1e3)")
    }
    page.begin("apus_model_memory_bytes", .gauge, "Memory that a model takes.")
    for model in snapshot.models {
      guard let bytes = model.memoryByteCount else { continue }
      page.add("apus_model_memory_bytes", [("model", model.name)], "\(bytes)")
    }
    page.begin("apus_alert", .gauge, "1 for each alert that is active.")
    for alert in snapshot.alerts {
      page.add("apus_alert", [("model", alert.model), ("severity", alert.severity.rawValue)], "1")
    }
    page.addProcess(snapshot)
    return page.text
  }
}

extension PrometheusText {
  /// 65.5 µs, twice that, and so on to 69 s: at these bounds buckets end, so that the numbers are exact.
  private static let bounds = (16...36).map { UInt64(1) << UInt64($0) }

  fileprivate mutating func add(_ counts: HistogramCounts, _ labels: [(String, String)]) {
    guard counts.count > 0 else { return }
    let name = "apus_inference_seconds"
    for bound in Self.bounds {
      add(name + "_bucket", labels + [("le", "\(Double(bound) / 1e9)")], "\(counts.count(upTo: bound))")
    }
    add(name + "_bucket", labels + [("le", "+Inf")], "\(counts.count)")
    add(name + "_sum", labels, "\(Double(counts.sum) / 1e9)")
    add(name + "_count", labels, "\(counts.count)")
  }

  fileprivate mutating func addQuantiles(_ model: ModelPerformance) {
    for window in PerformanceWindow.allCases {
      for stage in InferenceStage.allCases {
        guard let times = model.windows[window]?.stages[stage] else { continue }
        let quantiles = [
          ("0.5", times.p50Milliseconds), ("0.95", times.p95Milliseconds), ("0.99", times.p99Milliseconds),
        ]
        for (quantile, milliseconds) in quantiles {
          add(
            "apus_inference_quantile_seconds",
            [
              ("model", model.name), ("stage", stage.rawValue), ("window", window.rawValue),
              ("quantile", quantile),
            ], "\(milliseconds / 1e3)")
        }
      }
    }
  }

  fileprivate mutating func addProcess(_ snapshot: PerformanceSnapshot) {
    if let memory = snapshot.memory {
      begin("apus_resident_memory_bytes", .gauge, "Memory of the process.")
      add("apus_resident_memory_bytes", [], "\(memory.residentByteCount)")
    }
    if let energy = snapshot.energy {
      begin("apus_energy_joules_total", .counter, "Energy of processors and memory, all programs together.")
      for domain in energy.domains {
        add("apus_energy_joules_total", [("domain", domain.name)], "\(domain.joules)")
      }
    }
  }
}
