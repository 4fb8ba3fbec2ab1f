import Apus
import TensorCore

extension ModelStore {
  /// Makes room for a load by unloading unused models, and waits for models in use if that is not enough.
  func takeRoom(_ needed: Int, for name: String, _ number: Int) async throws(ApusError) {
    let begin = surroundings.now()
    while true {
      guard !Task.isCancelled else { throw ApusError(.cancelled, "the loading was cancelled") }
      let present = surroundings.available()
      let (room, place) = state.withLock { state in
        let room = state.takeRoom(needed, present: present, for: number)
        return (room, room.isAfterDepartures ? broadcast.reserve() : nil)
      }
      switch room {
      case .taken: return
      case .after(let departures): _ = await release(departures, .room, at: place)
      case .never(let available): throw .noMemory(name, needed: needed, available: available, of: byteLimit)
      case .later(let available):
        guard surroundings.now() &- begin < options.patience.nanoseconds else {
          throw .noMemory(name, needed: needed, available: available, of: byteLimit)
        }
        try? await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Has models go that a look at the state chose; nil when none was.
  func shed(
    _ reason: StoreEvent.Reason, _ choose: (inout StoreState) -> Departures
  ) async -> MemoryReturn? {
    let (departures, place) = state.withLock { state in
      let departures = choose(&state)
      return (departures, departures.isEmpty ? nil : broadcast.reserve())
    }
    return departures.isEmpty ? nil : await release(departures, reason, at: place)
  }

  /// Frees models that left the store, and tells of it.
  /// - Parameter place: the place of the event, kept when they left; nil for none.
  func release(
    _ departures: Departures, inUse: [String] = [], _ reason: StoreEvent.Reason,
    at place: Broadcast<StoreEvent>.Place?
  ) async -> MemoryReturn {
    let memory = await free(departures, writesCache: reason != .pressure)
    let report = MemoryReturn(
      models: departures.names, inUse: inUse, counted: departures.byteCount, before: memory.before,
      after: memory.after)
    if let place { broadcast.tell(.unloaded(reason, report), at: place) }
    return report
  }

  private func free(_ departures: Departures, writesCache: Bool) async -> (before: Int, after: Int) {
    let giveBack = surroundings.giveBack
    // If memory is very short, small models count too.
    let always = state.withLock { $0.level } == .critical
    return await WorkerThreads.run { _ in
      departures.release(writesCache: writesCache) { byteCount in giveBack(byteCount, always) }
    }
  }

  /// Looks at the models once a second, for as long as there are any.
  func keepWatch(_ state: inout StoreState) {
    guard state.keeper == nil else { return }
    let pause = surroundings.pause
    state.keeper = Task { [weak self] in
      while !Task.isCancelled {
        await pause()
        guard let self, await self.look() else { return }
      }
    }
  }

  /// Has models go whose time is over, or that are too much; tells of those that their last users let go of; turns to
  /// other qualities.
  /// - Returns: whether there is something left to look at.
  func look() async -> Bool {
    let time = surroundings.now()
    _ = await shed(.unused) { $0.expired(at: time) }
    let (left, place) = state.withLock { state in
      let left = state.measure()
      return (left, left.isEmpty ? nil : broadcast.reserve())
    }
    if let place { await tell(of: left, at: place) }
    _ = await shed(.room) { $0.excess() }
    let level = state.withLock { $0.level }
    if level > .normal { await relieve(level) } else { recover(at: time) }
    return state.withLock { state in
      if state.entries.values.contains(where: { $0.isInMemory || $0.load != nil }) { return true }
      state.keeper = nil
      return false
    }
  }

  /// Gives back what models left behind that the store had let go of before.
  private func tell(of left: Departures, at place: Broadcast<StoreEvent>.Place) async {
    let memory = await free(left, writesCache: true)
    broadcast.tell(
      .unloaded(
        .asked,
        MemoryReturn(models: left.names, inUse: [], counted: 0, before: memory.before, after: memory.after)),
      at: place)
  }

  /// Takes down how short memory is, and does something about it.
  func meet(_ level: MemoryPressure.Level) async {
    state.withLock { state in
      if state.level != level { broadcast.enter(.pressure(level)) }
      state.level = level
    }
    broadcast.deliver()
    if level > .normal { await relieve(level) }
  }

  /// Unloads unused models, least recently used first: one at a time until memory is no longer short, or all at once if it
  /// is very short. Then it frees the memory that runs left.
  private func relieve(_ level: MemoryPressure.Level) async {
    let enough = options.pressure.warningShare - options.pressure.margin
    while let _ = await shed(.pressure, { $0.unused(all: level == .critical) }) {
      if level < .critical, let share = surroundings.share(), share < enough { return }
    }
    state.withLock { state in for entry in state.entries.values { entry.releaseIdleMemory() } }
  }
}
