"""Bytes → document: rule files read with their places, checked in shape, put together, variants laid over.

In: paths. Out: a `Document`, one tree in which every rule has its address and every word knows its file, line and
column; complaints about files, shapes and variants go to the report.
"""
