import Kernels
import Testing

@Suite struct PoolSizeTests {
  /// Ray and Spark set OMP_NUM_THREADS alone; affinity and control groups stay those of the machine.
  @Test(
    arguments: [
      (nil, nil, 8), (nil, "2", 2), (nil, "64", 8), (nil, "3,1", 3), (nil, " 4 ", 4), (nil, "0", 8),
      (nil, "-1", 8), (nil, "all", 8), (nil, "", 8), (nil, "99999999999999999999", 8),
      (16, nil, 16), (16, "4", 4), (2, "4", 2),
    ] as [(Int?, String?, Int)])
  func theLeastOfTheLimitsCounts(_ poolSize: Int?, _ openMP: String?, _ threads: Int) {
    #expect(HostLimits.threads(poolSize: poolSize, openMP: openMP, processors: 8) == threads)
  }
}
