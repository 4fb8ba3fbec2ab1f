import ApusService
import CommandSupport
import Formats
import Graph
import Kernels
import TensorCore

/// The facts that Apus finds on the machine, as text and as JSON.
struct MachineReport {
  struct Fact {
    let key: String
    let title: String
    let text: String
    let value: JSON

    init(_ key: String, _ title: String, _ text: String, _ value: JSON? = nil) {
      self.key = key
      self.title = title
      self.text = text
      self.value = value ?? .string(text)
    }

    /// A number of bytes; nil where there is none.
    init(_ key: String, _ title: String, bytes: Int?, none: String) {
      self.init(key, title, bytes.map(Format.bytes) ?? none, bytes.map(JSON.integer) ?? .null)
    }
  }

  let facts: [Fact]
  let warnings: [String]
  private let rows: KernelRows

  init() throws {
    let choice = try KernelSet.selected().choice
    let device = try DeviceCapabilities.current()
    facts =
      Self.program + Self.processor(choice) + Self.speed(device) + Self.memory(device.memory) + Self.folders
      + Self.libraries
    warnings = Self.warnings(ProcessEnvironment.variables)
    rows = try KernelRows()
  }

  func print() {
    var table = Table([("", .left), ("", .left)])
    for fact in facts { table.append([fact.title, fact.text]) }
    table.print()
    for warning in warnings { StandardStreams.printText("warning: \(warning)") }
  }

  var json: JSON {
    .object(
      facts.map { ($0.key, $0.value) } + [
        ("warnings", .strings(warnings)), ("kernel_rows", rows.json),
        ("instruction_sets", .strings(KernelSet.available.map(\.name))),
      ])
  }

  private static var program: [Fact] {
    [
      Fact("apus", "apus", ApusVersion.current), Fact("build", "build", BuildKind.description),
      Fact("privacy", "privacy", Privacy.report().badge.text),
    ]
  }

  private static func processor(_ choice: KernelChoice) -> [Fact] {
    let instructions = ProcessorFeatures.host.instructions
    let used = Set(NumericFamily.allCases.flatMap { choice[$0].requires })
    // Of those that kernels could use.
    let unused = Instruction.allCases.filter { instructions.contains($0) && !used.contains($0) }
    let words = unused.map { "\($0.rawValue) (\($0.use))" }.joined(separator: ", ")
    let kernels = NumericFamily.allCases.map { ($0.rawValue, JSON.string(choice[$0].rawValue)) }
    return [
      Fact("processor", "processor", ProcessorFeatures.host.model),
      Fact("kernels", "kernels", "\(choice)", .object(kernels)),
      Fact(
        "unused_instructions", "unused instructions", unused.isEmpty ? "none" : words,
        .strings(unused.map(\.rawValue))),
      Fact(
        "openblas_core", "OpenBLAS core", BLAS.coreName ?? "none", BLAS.coreName.map(JSON.string) ?? .null),
      Fact("threads", "threads", "\(ThreadPool.shared.size)", .integer(ThreadPool.shared.size)),
      Fact(
        "processors_allowed", "processors allowed", "\(HostLimits.affinity)", .integer(HostLimits.affinity)),
      Fact(
        "control_group_processors", "control group quota",
        HostLimits.processorTime.map { "\(Format.significant($0, 3)) processors" } ?? "none",
        HostLimits.quota.map(JSON.integer) ?? .null),
    ]
  }

  private static func speed(_ device: DeviceCapabilities) -> [Fact] {
    let rates = Precision.allCases.compactMap { precision in
      device.rates[precision].map { (precision.rawValue, $0) }
    }
    let words = rates.map { "\($0) \(Format.decimal($1, 0))" }.joined(separator: ", ")
    return [
      Fact("cores", "cores", "\(device.cores)", .integer(device.cores)),
      Fact("tier", "tier", device.tier.rawValue),
      Fact(
        "operations", "10⁹ operations a second", words, .object(rates.map { ($0, .number($1)) })),
    ]
  }

  private static func memory(_ status: MemoryStatus) -> [Fact] {
    let limit = status.narrowest
    let words = limit.source == .machine ? "" : ", by the limit of \(limit.source)"
    let sources = MemoryPressure.sources
    return [
      Fact("memory", "memory", bytes: HostLimits.physicalMemory, none: "unknown"),
      Fact(
        "memory_available", "memory available", Format.bytes(status.available) + words,
        .integer(status.available)),
      Fact("control_group_memory", "control group memory", bytes: HostLimits.memoryQuota, none: "no limit"),
      Fact(
        "memory_pressure", "memory pressure",
        (sources + ["a look each second"]).joined(separator: ", "), .strings(sources)),
    ]
  }

  private static var folders: [Fact] {
    let cache = PackedWeightCache.folder()
    let bytes = cache.map(CacheFolder.byteCount)
    let words = bytes.map { ", \(Format.bytes($0)) of \(Format.bytes(CacheFolder.limit))" } ?? ""
    let roots = HuggingFaceCache().roots
    let places = roots.map { FileSystem.isFolder($0) ? $0 : "\($0) (not there)" }
    return [
      Fact(
        "packed_weights", "packed weights", (cache ?? "not kept") + words,
        .object([
          ("folder", cache.map(JSON.string) ?? .null), ("bytes", bytes.map(JSON.integer) ?? .null),
          ("limit", .integer(CacheFolder.limit)),
        ])),
      Fact(
        "hugging_face", "Hugging Face cache", places.joined(separator: ", "),
        .array(
          roots.map {
            .object([("folder", .string($0)), ("exists", .bool(FileSystem.isFolder($0)))])
          })),
    ]
  }

  private static var libraries: [Fact] {
    SystemLibraries.loaded.map { Fact($0.name.lowercased(), $0.name, $0.path) }
  }

  /// Warnings about environment variables that make Apus slower.
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
