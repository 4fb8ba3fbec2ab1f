import Kernels
import Testing

@Suite struct PoolSizeTests {
  /// Ray and Spark set OMP_NUM_THREADS alone; affinity and control groups stay those of the machine.
  @Test(arguments: [
    ([:], 8), (["OMP_NUM_THREADS": "2"], 2), (["OMP_NUM_THREADS": "64"], 8), (["OMP_NUM_THREADS": "3,1"], 3),
    (["OMP_NUM_THREADS": " 4 "], 4), (["OMP_NUM_THREADS": "0"], 8), (["OMP_NUM_THREADS": "all"], 8),
    (["OMP_NUM_THREADS": ""], 8), (["APUS_POOL_SIZE": "16"], 16), (["APUS_POOL_SIZE": "999"], 8),
    (["APUS_POOL_SIZE": "16", "OMP_NUM_THREADS": "4"], 4),
    (["APUS_POOL_SIZE": "2", "OMP_NUM_THREADS": "4"], 2),
  ])
  func theLeastOfTheLimitsCounts(_ environment: [String: String], _ threads: Int) {
    #expect(HostLimits.threads(in: environment, processors: 8) == threads)
  }
}
