"""The models of the benchmark: random weights of the true shapes, made when a job first needs them."""
