"""The kernel tree as machine code.

In: a compiled program. Out: its module in the text form of LLVM (`llvm_printer`), made into machine code and kept
(`machine_code`). How wide its numbers are, and where callers find them, says `kernel.machine_shape`.
"""
