"""Diagnostics in the forms that other programs read.

In: diagnostics. Out: text in each form (`output_formats`), and how GitHub finds diagnostics in what a run prints.
"""
