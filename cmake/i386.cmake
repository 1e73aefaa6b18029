# SPDX-License-Identifier: Zlib
# Cross build for i386 on a Debian or Ubuntu host.  Tests run on the processor where the kernel allows that, else under
# qemu-user: they name the cross compiler's loader, so that nothing of i386 has to be installed.
set(ZWIRE_GNU_CPU i686)
set(ZWIRE_GNU_TUPLE i386-linux-gnu)
set(ZWIRE_DEBIAN_ARCH i386)
set(ZWIRE_EMULATOR qemu-i386)
include(${CMAKE_CURRENT_LIST_DIR}/foreign.cmake)
set(ZWIRE_I386_LIB /usr/i686-linux-gnu/lib)
execute_process(COMMAND ${ZWIRE_I386_LIB}/ld-linux.so.2 --version RESULT_VARIABLE ZWIRE_I386_STATUS OUTPUT_QUIET ERROR_QUIET)
if(ZWIRE_I386_STATUS EQUAL 0)
	unset(CMAKE_CROSSCOMPILING_EMULATOR)
	# Not --enable-new-dtags: cmocka finds its libc by this path too.
	string(CONCAT CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--disable-new-dtags,--dynamic-linker=${ZWIRE_I386_LIB}/ld-linux.so.2"
		",-rpath,${ZWIRE_I386_LIB}:${ZWIRE_FOREIGN_ROOT}/usr/lib/${ZWIRE_GNU_TUPLE}:${ZWIRE_FOREIGN_ROOT}/lib/${ZWIRE_GNU_TUPLE}")
endif()
