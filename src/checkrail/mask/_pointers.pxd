"""Where the numbers of buffers are, which is all that C wants to know of them, and loops over words.

For the compiled kernel alone. Interpreted, the functions of the same names in `_cython_shim.py` stand in.
"""

from libc.string cimport memcpy, memset


cdef inline int* at(int[::1] view) noexcept:
    return &view[0] if view.shape[0] else NULL


cdef inline unsigned int* at_words(unsigned int[::1] view) noexcept:
    return &view[0] if view.shape[0] else NULL


cdef inline const int* at_const(const int[::1] view) noexcept:
    return &view[0] if view.shape[0] else NULL


cdef inline const unsigned int* at_const_words(const unsigned int[::1] view) noexcept:
    return &view[0] if view.shape[0] else NULL


cdef inline const unsigned char* at_bytes(const unsigned char[::1] view) noexcept:
    return &view[0] if view.shape[0] else NULL


# The C library's own loops are twice as fast as the compiler's.


cdef inline int clear_words(unsigned int* words, Py_ssize_t count) noexcept:
    memset(words, 0, 4 * count)
    return 0


cdef inline int copy_words(unsigned int* words, const unsigned int* source, Py_ssize_t count) noexcept:
    memcpy(words, source, 4 * count)
    return 0
