import Apus
import ApusService

extension ServedModel {
  /// How long a model took until it answered.
  public struct LoadTimes: Sendable, Hashable {
    /// Finding its files, reading its configuration and mapping its weights, in milliseconds.
    public let open: Double
    /// Reading its tokenizer, building its networks, packing their weights or finding them packed, and embedding its
    /// labels, in milliseconds.
    public let prepare: Double
    /// The first run of its network after that, for however many items, in milliseconds; nil before that, and when it has
    /// left memory. A vector that is scored against known labels runs nothing.
    public let firstRun: Double?
  }

  /// What a model is and keeps at one moment.
  public struct Status: Sendable {
    /// Whether it answers.
    public let state: ServedModelState
    /// Bytes that it takes in memory; what its forms share is counted once.
    public let byteCount: Int
    /// How good the forms are that answer, by what they do; of what is not in memory nothing.
    public let qualities: [ModelTask: ModelQuality]
    /// The least of the forms that answer, or that would be opened where they are not in memory: `high` where no fallback
    /// does.
    public let quality: ModelQuality
    /// How long it took the last time; nil where it was never opened. Of a model that was opened for several tasks, all
    /// together.
    public let loadTimes: LoadTimes?
    /// Which files beside it were passed over when it was opened, and why, each for people to read, and once.
    public let notes: [String]
  }

  /// What it is and keeps.
  /// - Parameter store: what the store says of all its models.
  public func status(in store: StoreStatus) -> Status {
    let known = known(tasks, in: store)
    let doing = tasksOfForms
    var qualities: [ModelTask: ModelQuality] = [:]
    var notes: [String] = []
    for form in known {
      if form.isLoaded, let task = doing[ExactText(form.name)] { qualities[task] = form.quality }
      for note in form.notes where !notes.contains(where: { ExactText($0) == ExactText(note) }) {
        notes.append(note)
      }
    }
    return Status(
      state: state(in: store),
      // Those of one folder in one precision share their weights, as only the store knows.
      byteCount: self.store.byteCount(of: known.map(\.name)), qualities: qualities,
      quality: known.map(\.quality).min() ?? .high, loadTimes: loadTimes(of: known), notes: notes)
  }

  private func loadTimes(of known: [StoreStatus.Model]) -> LoadTimes? {
    let times = known.compactMap(\.loadTimes)
    guard !times.isEmpty else { return nil }
    let open = times.reduce(0) { $0 + $1.open / .milliseconds(1) }
    let total = times.reduce(0) { $0 + $1.total / .milliseconds(1) }
    let runs = known.filter { $0.byteCount != nil }.compactMap {
      account.firstRunMilliseconds(of: FormLoad(form: ExactText($0.name), number: $0.loads))
    }
    return LoadTimes(
      open: open, prepare: max(0, total - open), firstRun: runs.isEmpty ? nil : runs.reduce(0, +))
  }

  /// How long it took the last time, as ``Status/loadTimes``.
  public var loadTimes: LoadTimes? { status(in: store.status()).loadTimes }

  /// The least of the forms that answer or would, as ``Status/quality``.
  public var quality: ModelQuality { status(in: store.status()).quality }

  /// Which files beside it were passed over, as ``Status/notes``.
  public var notes: [String] { status(in: store.status()).notes }
}
