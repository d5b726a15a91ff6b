# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy and a library with views exchange arrays by DLPack, without a copy.

usage: dlpack_test.py LIBRARY     built from dlpack_library.cpp; the exit status is 77 if NumPy with from_dlpack is not installed
"""
import ctypes
import gc
import sys

try:
    import numpy
    numpy.from_dlpack
except (ImportError, AttributeError):
    print("SKIPPED, because NumPy 1.22 or newer is not installed")
    sys.exit(77)

NAME, USED = b"dltensor", b"used_dltensor"
api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

library = ctypes.CDLL(sys.argv[1])
library.tensor_of_matrix.restype = ctypes.c_void_p
library.element.restype = ctypes.c_double
library.double_all.argtypes = [ctypes.c_void_p]


class Exported:
    """What numpy.from_dlpack expects: an object that makes a capsule of a tensor."""

    def __init__(self, make_tensor):
        self.make_tensor = make_tensor

    def __dlpack_device__(self):
        return 1, 0  # memory of the host

    def __dlpack__(self, stream=None, **options):
        return api.PyCapsule_New(self.make_tensor(), NAME, None)


def view_to_numpy():
    before = library.use_count()
    array = numpy.from_dlpack(Exported(library.tensor_of_matrix))
    assert array.shape == (3, 4) and array.dtype == numpy.float64 and array[2, 3] == 23, array
    assert library.use_count() == before + 1, "the array owns the view's memory"
    in_place = numpy.lib.stride_tricks.as_strided(array)
    assert in_place.ctypes.data == array.ctypes.data
    ctypes.c_double.from_address(array.ctypes.data).value = -5  # element (0, 0)
    assert library.element(0, 0) == -5, "the array is a copy"
    del array, in_place
    gc.collect()
    assert library.use_count() == before, "the tensor was not given back"


def numpy_to_view(array):
    expected = 2 * array
    references = sys.getrefcount(array)
    capsule = array.__dlpack__()
    tensor = api.PyCapsule_GetPointer(capsule, NAME)
    assert library.double_all(tensor) == 0
    api.PyCapsule_SetName(capsule, USED)  # the view has given the tensor back
    assert (array == expected).all(), array
    assert sys.getrefcount(array) == references, "the tensor was not given back"


library.start()
view_to_numpy()
numpy_to_view(numpy.arange(12.0).reshape(3, 4))
numpy_to_view(numpy.arange(40.0).reshape(5, 8)[1::2, ::3])  # strided
numpy_to_view(numpy.asfortranarray(numpy.arange(12.0).reshape(3, 4)))
library.finish()
print(f"NumPy {numpy.__version__}: views and arrays share memory")
