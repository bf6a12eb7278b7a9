"""Asks every question of every library, and writes what came out."""

from benchmarks.peers.measured import FILE, PROOF, as_document, as_text, measured

found = measured()
FILE.write_text(as_text(found), encoding="utf-8")
PROOF.write_text(as_document(found), encoding="utf-8")
print(as_document(found))
