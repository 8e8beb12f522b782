"""Tests of rules written as data: read, set up, played, held against what they expect."""
