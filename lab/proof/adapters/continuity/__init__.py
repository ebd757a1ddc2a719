"""Continuity as an arm of agent-memory-bench, and as the agent of remem's harness."""
