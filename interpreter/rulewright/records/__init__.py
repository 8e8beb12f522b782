"""A game kept in a file while it is played: written, read, replayed, held against other rules.

In: a session, or a file of JSON lines (schemas/record.schema.json). Out: the file, or the session as it was, and where
a record and some rules part.

- `record_file`: bytes → `Record`, with nothing believed; `rules_snapshot`: the rules in a record, as JSON and back
- `record_writer`: the `Recorder` that puts a session on the disk; `chance_notation`: how chance fell, in names
- `replayer`: a record → the session again, or the first `Divergence` from other rules
- `divergence_cause`: which variants cause that divergence
"""
