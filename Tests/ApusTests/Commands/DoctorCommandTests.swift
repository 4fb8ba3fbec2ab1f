import Foundation
import TestSupport
import Testing

/// `doctor` says the same to people and to programs.
@Suite(.enabled(if: CommandRun.isPossible, "needs the apus program"))
struct DoctorCommandTests {
  @Test func theObjectHasWhatTheTableHas() throws {
    let run = try CommandRun(["doctor", "--json"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let memory = try #require(object["memory"] as? Int),
      available = try #require(object["memory_available"] as? Int)
    #expect(available > 0 && available <= memory)
    #expect(object["control_group_memory"] != nil && object["warnings"] is [String])
    let rows = try #require(object["kernel_rows"] as? [[String: Any]])
    #expect(rows.count { $0["in_use"] as? Bool == true } == 3)
    let kernels = try #require(object["kernels"] as? [String: String])
    for row in rows where row["in_use"] as? Bool == true {
      #expect(kernels[row["family"] as? String ?? ""] == row["set"] as? String)
    }
    let sets = try CommandRun(["doctor", "--instruction-sets"]).output.split(separator: "\n").map(String.init)
    #expect(object["instruction_sets"] as? [String] == sets)
  }

  @Test func foldersAreThoseOfTheEnvironment() throws {
    let folder = try TemporaryFolder()
    try folder.write("cache/apus/a.packed", [UInt8](repeating: 1, count: 1000))
    let line =
      "XDG_CACHE_HOME=\(folder.path)/cache HF_HUB_CACHE=\(folder.path)/hub APUS_CACHE_LIMIT=5000 \"$@\""
    let run = try CommandRun(shell: line, ["doctor", "--json"])
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let weights = try #require(object["packed_weights"] as? [String: Any])
    #expect(weights["folder"] as? String == folder.path + "/cache/apus")
    #expect(weights["bytes"] as? Int == 1000 && weights["limit"] as? Int == 5000)
    let places = try #require(object["hugging_face"] as? [[String: Any]])
    #expect(places.map { $0["folder"] as? String } == [folder.path + "/hub"])
    #expect(places.map { $0["exists"] as? Bool } == [false])
    let text = try CommandRun(shell: line, ["doctor"]).output
    #expect(text.contains("packed weights") && text.contains("1000 B") && text.contains("/hub (not there)"))
    let off = try CommandRun(shell: "APUS_CACHE=off \"$@\"", ["doctor"]).output
    #expect(off.contains("not kept"))
  }

  @Test(arguments: ["APUS_POOL_SIZE=300", "APUS_POOL_SIZE=x", "APUS_CACHE_LIMIT=-1", "APUS_CACHE_LIMIT=1G"])
  func whatIsNoNumberIsRefused(_ variable: String) throws {
    let run = try CommandRun(shell: "\(variable) \"$@\"", ["doctor"])
    #expect(run.exitCode == 2 && run.messages.contains("\(variable): is not understood"), "\(run.messages)")
  }

  @Test func emptyVariablesAreAsIfNotSet() throws {
    let run = try CommandRun(shell: "APUS_ISA= APUS_POOL_SIZE= APUS_CACHE_LIMIT= \"$@\"", ["doctor"])
    #expect(run.exitCode == 0, "\(run.messages)")
  }
}
