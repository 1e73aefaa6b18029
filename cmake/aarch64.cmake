# SPDX-License-Identifier: Zlib
# Cross build for aarch64 on a Debian or Ubuntu host; tests run under qemu-user, with the cmocka and the zlib that
# cmake/arm64_sysroot puts into build/arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
get_filename_component(ZWIRE_ARM64_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/arm64 ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${ZWIRE_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L /usr/aarch64-linux-gnu
	-E LD_LIBRARY_PATH=${ZWIRE_ARM64_ROOT}/usr/lib/aarch64-linux-gnu:${ZWIRE_ARM64_ROOT}/lib/aarch64-linux-gnu)
