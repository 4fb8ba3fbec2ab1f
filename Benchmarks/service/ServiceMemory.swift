import Apus
import ApusService
import CLibrary

/// What keeping models costs, and what letting go of them gives back: lines of JSON, for `Tools/checks/service-memory`.
///
/// Usage: service-memory return MODEL | flat MODEL COUNT | warm MODEL | callers MODEL | alternate A B SECONDS | together A B.
/// Models are image classifiers.
@main struct ServiceMemory {
  static func main() async {
    do {
      try await measure(Array(CommandLine.arguments.dropFirst()))
    } catch {
      answer("service-memory: \(error)")
      exit(1)
    }
  }

  private static func measure(_ arguments: [String]) async throws {
    switch (arguments.first, arguments.count) {
    case ("return", 2): try await returning(arguments[1])
    case ("flat", 3): try await flat(arguments[1], count: Int(arguments[2]) ?? 1000)
    case ("warm", 2): try await warm(arguments[1])
    case ("callers", 2): try await callers(arguments[1])
    case ("together", 3): try await together(arguments[1], arguments[2])
    case ("alternate", 4):
      try await alternate(arguments[1], arguments[2], seconds: Double(arguments[3]) ?? 30)
    default:
      answer("usage: service-memory return | flat | warm | callers | alternate | together, with their models")
      exit(2)
    }
  }

  /// One load, one run and one unloading, in a process that did nothing before.
  private static func returning(_ path: String) async throws {
    let (store, model) = (try ModelStore(), model("model", path))
    let before = resident
    try await look(model, in: store)
    let loaded = resident
    let counted = store.status().byteCount
    let report = await store.unload(model)
    answer(
      #"{"before": \#(before), "loaded": \#(loaded), "counted": \#(counted), "unloadBefore": \#(report.before), "after": \#(resident)}"#
    )
  }

  /// Loads, runs and unloads many times.
  private static func flat(_ path: String, count: Int) async throws {
    let (store, model) = (try ModelStore(), model("model", path))
    for number in 0...count {
      try await look(model, in: store)
      let loaded = resident
      await store.unload(model)
      if number % max(1, count / 100) == 0 {
        answer(#"{"number": \#(number), "loaded": \#(loaded), "unloaded": \#(resident)}"#)
      }
    }
  }

  /// The nanoseconds of asking for a model that is there.
  private static func warm(_ path: String) async throws {
    let (store, model) = (try ModelStore(), model("model", path))
    _ = try await store.model(for: model)
    let clock = ContinuousClock()
    let calls = 1_000_000
    for _ in 0..<5 {
      var sum = 0
      let begin = clock.now
      for _ in 0..<calls { sum += try await store.model(for: model).path.utf8.count }
      let time = (clock.now - begin) / .nanoseconds(1) / Double(calls)
      answer(#"{"calls": \#(calls), "nanoseconds": \#(time), "checksum": \#(sum)}"#)
    }
  }

  /// Sixty-four who ask at once.
  private static func callers(_ path: String) async throws {
    let (store, model) = (try ModelStore(), model("model", path))
    let found = try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<64 { group.addTask { ObjectIdentifier(try await store.model(for: model)) } }
      return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
    }
    answer(
      #"{"callers": 64, "models": \#(found.count), "loads": \#(store.status().models.first?.loads ?? 0)}"#)
  }

  /// Two models in turn, as fast as it goes.
  private static func alternate(_ first: String, _ second: String, seconds: Double) async throws {
    let store = try ModelStore()
    let models = [model("first", first), model("second", second)]
    let clock = ContinuousClock()
    let begin = clock.now
    let sampler = Task {
      while !Task.isCancelled {
        let time = (clock.now - begin) / .seconds(1)
        let status = store.status()
        let loaded = status.models.filter { $0.isLoaded }.map(\.name)
        answer(
          #"{"time": \#(time), "resident": \#(resident), "counted": \#(status.byteCount), "limit": \#(status.byteLimit), "loaded": \#(loaded)}"#
        )
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
    var runs = 0
    while clock.now - begin < .seconds(seconds) {
      try await look(models[runs % 2], in: store)
      runs += 1
    }
    sampler.cancel()
    let peak = store.status().models.map(\.loads)
    answer(#"{"runs": \#(runs), "loads": \#(peak)}"#)
  }

  /// Lines are read as they come.
  private static func answer(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Both models at once, without a store: what a limit that has room for one does then.
  private static func together(_ first: String, _ second: String) async throws {
    var models: [ImageClassifier] = []
    for path in [first, second] {
      models.append(try await ImageClassifier.load(path))
      answer(#"{"models": \#(models.count), "resident": \#(resident)}"#)
    }
    withExtendedLifetime(models) {}
  }

  private static func model(_ name: String, _ path: String) -> ServiceModel<ImageClassifier> {
    ServiceModel(name, at: path, options: .init())
  }

  private static func look(_ model: ServiceModel<ImageClassifier>, in store: ModelStore) async throws {
    let pixels = [UInt8](repeating: 128, count: 64 * 64 * 3)
    let picture = Picture(try RGBImage(width: 64, height: 64, pixels: pixels))
    _ = try await store.run(model) { try await $0.classify(picture, topK: 1) }
  }

  private static var resident: Int { ProcessMemory.current?.resident ?? 0 }
}
