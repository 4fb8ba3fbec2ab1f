import Apus
import ApusService
import ApusServing

extension JSONText {
  /// What `GET /api/models` answers: the models with their times, memory, alerts, and whether data can get out.
  static func status(of server: ModelServer, isSealed: Bool) -> JSONText {
    let snapshot = server.monitor.snapshot()
    let store = server.store.status()
    let times = Dictionary(
      snapshot.models.map { (ExactText($0.name), $0) }, uniquingKeysWith: { first, _ in first })
    return [
      "models": .array(server.models.map { status(of: $0, $0.status(in: store), times[ExactText($0.name)]) }),
      "memory": ["used": .integer(store.byteCount), "limit": .integer(store.byteLimit)],
      "alerts": .array(
        snapshot.alerts.map { alert in
          [
            "model": .string(alert.model), "level": .string(alert.severity.rawValue),
            "message": .string("\(alert)"),
          ]
        }),
      // The server's own sockets are open; sealed, it opens no others.
      "privacy": [
        "badge": .string((isSealed ? PrivacyBadge.processingLocally : .checkFailed).text),
        "sealed": .bool(isSealed),
      ],
    ]
  }

  private static func status(
    of model: ServedModel, _ now: ServedModel.Status, _ times: ModelPerformance?
  ) -> JSONText {
    let total = times?.all.stages[.total]
    let runs = times?.all.stages[.run]
    let tasks = ModelTask.allCases.filter(model.tasks.contains)
    let qualities = tasks.compactMap { task in
      now.qualities[task].map { (key: task.rawValue, value: JSONText.string($0.rawValue)) }
    }
    let load: JSONText = now.loadTimes.map(loading) ?? nil
    return [
      "name": .string(model.name), "tasks": .array(tasks.map { .string($0.rawValue) }),
      "state": .string(word(for: now.state)), "failure": .optional(failure(in: now.state)),
      "memory": .integer(now.byteCount), "quality": .string(now.quality.rawValue),
      "qualities": .object(qualities), "load_milliseconds": load,
      "zero_shot_labels": model.startingLabels.map { .array($0.map(JSONText.string)) } ?? nil,
      "requests": .integer(Int(clamping: times?.all.runs ?? 0)),
      "request_milliseconds": total.map(quantiles) ?? nil,
      "runs": .integer(Int(clamping: model.executions.executions)),
      "run_milliseconds": runs.map(quantiles) ?? nil,
      "p50": total.map { .number($0.p50 / .milliseconds(1)) } ?? nil,
      "p95": total.map { .number($0.p95 / .milliseconds(1)) } ?? nil,
      "target": times?.target.map { .number($0 / .milliseconds(1)) } ?? nil,
      "compliance": times?.all.compliance.map { .number($0) } ?? nil,
    ]
  }

  private static func quantiles(of times: LatencySummary) -> JSONText {
    ["p50": .number(times.p50 / .milliseconds(1)), "p95": .number(times.p95 / .milliseconds(1))]
  }

  /// How long a model took until it answered.
  private static func loading(_ times: ServedModel.LoadTimes) -> JSONText {
    [
      "open": .number(times.open), "prepare": .number(times.prepare),
      "first_run": times.firstRun.map { .number($0) } ?? nil,
    ]
  }

  /// Why a model could not be opened.
  private static func failure(in state: ServedModelState) -> String? {
    if case .failed(let reason) = state { reason } else { nil }
  }

  private static func word(for state: ServedModelState) -> String {
    switch state {
    case .unloaded: "unloaded"
    case .loading: "loading"
    case .ready: "ready"
    case .withdrawn: "withdrawn"
    case .failed: "failed"
    }
  }
}
