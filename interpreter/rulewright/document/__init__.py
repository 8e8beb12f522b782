"""The files of a game → one document checked against the schemas, in which every rule has its address."""
