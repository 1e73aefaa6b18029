# SPDX-License-Identifier: Zlib
# Cross build for aarch64 on a Debian or Ubuntu host; tests run under qemu-user.
set(ZWIRE_GNU_CPU aarch64)
set(ZWIRE_GNU_TUPLE aarch64-linux-gnu)
set(ZWIRE_DEBIAN_ARCH arm64)
set(ZWIRE_EMULATOR qemu-aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
