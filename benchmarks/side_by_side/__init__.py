"""Checkrail beside its peers in one harness: the parts of `benchmarks/run.py`.

jobs        what is measured: maskbench.py, micro.py, growth.py
engines     one adapter for each: engine.py (the protocol), peers.py, ours.py, registry.py
a worker    a pinned process with one engine: worker.py, replay.py (the timed code), driver.py (the other end)
end_to_end  tokens per second of a model, with and without a constraint
results     figures.py (statistics), table.py (Markdown), plot.py (SVG), machine.py (where it ran)
"""
