# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pretty printers of gdb for View, DynRankView, DualView, UnorderedMap, Array and complex.

    (gdb) source PREFIX/share/kokkos/kokkos_gdb.py

or put that line into ~/.gdbinit. A view of memory that the host can access shows its elements; of other views only
extents, address and memory space are shown. `set print elements N` limits the elements. `print /r x` shows x without a printer.
"""
import re

import gdb

HOST_SPACES = ("HostSpace", "CudaHostPinnedSpace", "HIPHostPinnedSpace", "CudaUVMSpace", "HIPManagedSpace")


def bases(value):
    """The value and all of its base classes."""
    yield value
    for field in value.type.strip_typedefs().fields():
        if field.is_base_class:
            yield from bases(value[field])


def base(value, name):
    """The first base class of a template, or None."""
    return next((b for b in bases(value) if class_of(b.type).startswith(f"Kokkos::Impl::{name}<")
                 or class_of(b.type) == f"Kokkos::Impl::{name}"), None)


def class_of(type_):
    return str(type_.strip_typedefs().unqualified())


def numbers(array):
    """The elements of a C array of sizes. They are enumerators, which gdb does not compare with numbers."""
    first, last = array.type.range()
    return [int(array[i]) for i in range(first, last + 1)]


class ViewParts:
    """The members of a View: extents, strides, label and the first element."""

    def __init__(self, view):
        storage = view["m"]
        self.data = storage["data"]
        self.element = self.data.type.target()
        self.extents = self.read_extents(base(storage, "ViewExtents"))
        self.strides = self.read_strides(storage)
        self.label = self.read_label(base(storage, "AllocationTracker"))
        self.space = self.read_space(view)

    @staticmethod
    def read_extents(extents):
        """Run-time extents are stored; static ones are arguments of the type, of which gdb reports only the first."""
        stored = base(extents, "StoredExtents")
        dynamic, *static = [int(n) for n in re.findall(r"(\d+)[uUlL]*\s*[,>]", class_of(extents.type))]
        return (numbers(stored["value"]) if dynamic else []) + static

    def read_strides(self, storage):
        rank = len(self.extents)
        strided = base(storage, "StoredStrides")
        if strided is not None and rank:
            return numbers(strided["strides"])
        dense = base(storage, "DenseMapping")
        left = not self.is_right(dense)
        padded = base(storage, "PaddedStride")
        strides = [1] * rank
        order = list(range(rank)) if left else list(reversed(range(rank)))
        for n, r in enumerate(order[1:], 1):
            before = order[n - 1]
            is_row = n == 1 and padded is not None and class_of(padded.type).endswith("<true>")
            strides[r] = int(padded["stored_stride"]) if is_row else strides[before] * self.extents[before]
        return strides

    @staticmethod
    def is_right(dense):
        return dense is not None and class_of(dense.type).startswith("Kokkos::Impl::DenseMapping<Kokkos::LayoutRight")

    @staticmethod
    def read_label(tracker):
        bits = int(tracker["m_bits"]) & ~1 if tracker is not None else 0
        if not bits:
            return None
        record = gdb.Value(bits).cast(gdb.lookup_type("Kokkos::Impl::AllocationRecord").pointer()).dereference()
        return record["m_label"]

    @staticmethod
    def read_space(view):
        try:
            name = class_of(gdb.lookup_type(f"{class_of(view.type)}::memory_space"))
        except gdb.error:
            return "memory of unknown place"
        return name.removeprefix("Kokkos::")

    def is_readable(self):
        return self.space in HOST_SPACES and int(self.data) != 0

    def summary(self, kind):
        shape = " x ".join(str(n) for n in self.extents) or "scalar"
        label = f" {self.label.format_string()}" if self.label is not None else ""
        return f"{kind} of {shape} {self.element}{label} at {hex(int(self.data))} in {self.space}"

    def elements(self):
        """(indices, value) of each element, the last index fastest."""
        rank = len(self.extents)
        index = [0] * rank
        if 0 in self.extents:
            return
        while True:
            offset = sum(i * s for i, s in zip(index, self.strides))
            yield index, (self.data + offset).dereference()
            for r in reversed(range(rank)):
                index[r] += 1
                if index[r] < self.extents[r]:
                    break
                index[r] = 0
            else:
                return


def children_of(parts):
    if parts.is_readable():
        for index, value in parts.elements():
            yield "(" + ", ".join(str(i) for i in index) + ")", value


class ViewPrinter:
    def __init__(self, value):
        self.parts = ViewParts(value)

    def to_string(self):
        return self.parts.summary("View")

    def children(self):
        return children_of(self.parts)


class DynRankViewPrinter:
    """A DynRankView stores a view of rank 7. Its unused dimensions have extent 1: the first ones for LayoutRight, otherwise the last ones."""

    def __init__(self, value):
        self.parts = ViewParts(value["m_view"])
        rank = int(value["m_rank"])
        unused = len(self.parts.extents) - rank
        first = unused if ViewParts.is_right(base(value["m_view"]["m"], "DenseMapping")) else 0
        self.parts.extents = self.parts.extents[first:first + rank]
        self.parts.strides = self.parts.strides[first:first + rank]

    def to_string(self):
        return self.parts.summary("DynRankView")

    def children(self):
        return children_of(self.parts)


class DualViewPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        flags = ViewParts(self.value["m_flags"])
        if not flags.is_readable():
            return "DualView"
        host, device = (int(value) for _, value in flags.elements())
        newer = "in sync" if host == device else "the host is newer" if host > device else "the device is newer"
        return f"DualView, {newer}"

    def children(self):
        yield "h_view", self.value["h_view"]
        yield "d_view", self.value["d_view"]


class UnorderedMapPrinter:
    """Keys and values, where the table stores them in views and the host can access these."""

    def __init__(self, value):
        self.table = value["m_table"]
        self.indexed = class_of(self.table.type).startswith("Kokkos::Impl::IndexedMapTable")

    def to_string(self):
        if not self.indexed:
            return f"UnorderedMap of capacity {int(self.table['m_capacity'])}"
        keys = ViewParts(self.table["m_keys"])
        return f"UnorderedMap of capacity {keys.extents[0]} in {keys.space}" + self.size()

    def size(self):
        held = list(self.held())
        return f", {len(held)} elements" if ViewParts(self.table["m_keys"]).is_readable() else ""

    def held(self):
        """The indexes of elements, from the bits of the table."""
        keys = ViewParts(self.table["m_keys"])
        blocks = ViewParts(self.table["m_held"]["m_blocks"])
        if not blocks.is_readable():
            return
        width = 8 * blocks.element.sizeof
        for (block,), word in blocks.elements():
            bits = int(word)
            for bit in range(width):
                if bits >> bit & 1 and block * width + bit < keys.extents[0]:
                    yield block * width + bit

    def children(self):
        if not self.indexed:
            return
        keys, values = ViewParts(self.table["m_keys"]), ViewParts(self.table["m_values"])
        for index in self.held():
            yield f"[{index}]", (keys.data + index).dereference()
            if int(values.data):
                yield f"[{index}] value", (values.data + index).dereference()

    def display_hint(self):
        return "map" if self.indexed and int(ViewParts(self.table["m_values"]).data) else None


class ArrayPrinter:
    def __init__(self, value):
        self.value = value
        type_ = value.type.strip_typedefs()
        self.element, self.extent = type_.template_argument(0), int(type_.template_argument(1))

    def to_string(self):
        return f"Array of {self.extent} {self.element}"

    def children(self):
        first = self.value.address.cast(self.element.pointer()) if self.extent else None
        for i in range(self.extent):
            yield f"[{i}]", (first + i).dereference()

    def display_hint(self):
        return "array"


class ComplexPrinter:
    def __init__(self, value):
        self.value = value

    def to_string(self):
        return f"{self.value['re_'].format_string()} + {self.value['im_'].format_string()}i"


PRINTERS = {
    "Kokkos::View": ViewPrinter,
    "Kokkos::DynRankView": DynRankViewPrinter,
    "Kokkos::DualView": DualViewPrinter,
    "Kokkos::UnorderedMap": UnorderedMapPrinter,
    "Kokkos::Array": ArrayPrinter,
    "Kokkos::complex": ComplexPrinter,
}


def printer_of(value):
    type_ = value.type
    if type_.code == gdb.TYPE_CODE_REF:
        value, type_ = value.referenced_value(), type_.target()
    name = class_of(type_).split("<")[0]
    if name in PRINTERS and class_of(type_).endswith(">"):
        return PRINTERS[name](value)
    return None


gdb.pretty_printers.append(printer_of)
