# SPDX-License-Identifier: Apache-2.0
"""Contents of a compressed field file, independent of the order of its chunks: ranks write chunks as they arrive.

Reads no more of HDF5 than such a file needs: the B-trees (version 1) that index the chunks of its datasets.
"""

import re
import struct

END_OF_FILE = slice(40, 48)  # in the superblock, version 0
CHILDREN = 64                # of a node at most; what is left of earlier entries stays in the file


def node_at(data, at):
    """Level, [(key, address)] and extent of a node of chunks, or None. A key: bytes, filter mask, offsets."""
    kind, level, count = struct.unpack_from("<BBH", data, at + 4)
    if kind != 1 or count == 0:
        return None
    for rank in range(1, 6):
        entry = struct.Struct(f"<2I{rank + 1}QQ")  # offsets: of the chunk, then 0 for the bytes of an element
        if at + 24 + count * entry.size > len(data):
            return None
        found = [entry.unpack_from(data, at + 24 + i * entry.size) for i in range(count)]
        if all(one[-2] == 0 and 0 < one[-1] < len(data) for one in found):
            end = at + 24 + CHILDREN * entry.size + entry.size - 8  # a last key without a child
            return level, [(one[:-1], one[-1]) for one in found], slice(at, end)
    return None


def nodes_of(data):
    places = (match.start() for match in re.finditer(b"TREE", data))
    return {at: node for at in places if (node := node_at(data, at))}


def chunks_below(data, nodes, at):
    """[(mask, offsets, bytes)] of a dataset from the root of its tree."""
    level, children, _ = nodes[at]
    if level > 0:
        return [chunk for _, child in children for chunk in chunks_below(data, nodes, child)]
    return [(key[1], key[2:], data[address:address + key[0]]) for key, address in children]


def contents(data):
    """(everything before the first chunk but addresses, chunks of each dataset), or None for a file without chunks."""
    nodes = nodes_of(data)
    if not nodes:
        return None
    leaves = [child for level, children, _ in nodes.values() if level == 0 for _, child in children]
    inner = {child for level, children, _ in nodes.values() if level > 0 for _, child in children}
    head = bytearray(data[:min(leaves)])
    for _, _, extent in nodes.values():
        if extent.stop <= len(head):
            head[extent] = bytes(extent.stop - extent.start)
    head[END_OF_FILE] = bytes(8)
    roots = sorted(nodes.keys() - inner)
    for root in roots:
        head = head.replace(struct.pack("<Q", root), bytes(8))
    return bytes(head), [sorted(chunks_below(data, nodes, root)) for root in roots]


def same_values(old, new):
    """True if two files differ at most in the positions of their chunks."""
    before = contents(old)
    return before is not None and before == contents(new)
