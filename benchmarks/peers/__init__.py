"""The same questions to dpcore and to other libraries: answers, how far they are from the truth, and times.

`python -m benchmarks.peers` asks them all in one run and writes `ui/data/peers.json`, which *How we know* shows, and
`docs/proof/peers.md`. It needs `pip install riskline[test,release]`, in which the other libraries are.

`truths` computes each answer by a way of its own, with neither dpcore nor one of the libraries; `questions` says what
is asked and how each library is asked; `table` measures and writes.
"""
