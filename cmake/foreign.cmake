# SPDX-License-Identifier: Zlib
# foreign.cmake - what the toolchain files of other architectures share.  They set ZWIRE_GNU_CPU and ZWIRE_GNU_TUPLE (of compiler and library names),
# ZWIRE_DEBIAN_ARCH and ZWIRE_EMULATOR before.  Tests are linked with the cmocka and run beside the zlib that
# cmake/foreign_packages puts into build/foreign/ARCH.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${ZWIRE_GNU_CPU})
set(CMAKE_C_COMPILER ${ZWIRE_GNU_CPU}-linux-gnu-gcc)
get_filename_component(ZWIRE_FOREIGN_ROOT ${CMAKE_CURRENT_LIST_DIR}/../build/foreign/${ZWIRE_DEBIAN_ARCH} ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${ZWIRE_FOREIGN_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_LIBRARY_ARCHITECTURE ${ZWIRE_GNU_TUPLE})
set(CMAKE_CROSSCOMPILING_EMULATOR ${ZWIRE_EMULATOR} -L /usr/${ZWIRE_GNU_CPU}-linux-gnu
	-E LD_LIBRARY_PATH=${ZWIRE_FOREIGN_ROOT}/usr/lib/${ZWIRE_GNU_TUPLE}:${ZWIRE_FOREIGN_ROOT}/lib/${ZWIRE_GNU_TUPLE})
