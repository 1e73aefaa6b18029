# SPDX-License-Identifier: Zlib
# Cross build for s390x, whose bytes are in the other order, on a Debian or Ubuntu host; tests run under qemu-user.
set(ZWIRE_GNU_CPU s390x)
set(ZWIRE_GNU_TUPLE s390x-linux-gnu)
set(ZWIRE_DEBIAN_ARCH s390x)
set(ZWIRE_EMULATOR qemu-s390x)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
