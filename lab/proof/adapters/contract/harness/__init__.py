"""A stand-in for agent-memory-bench: the names of its adapter contract that our adapter uses, written anew."""
