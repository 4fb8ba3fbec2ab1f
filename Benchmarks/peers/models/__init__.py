"""The models that the benchmark runs, made with random weights of the true shapes when a job first needs them."""
