# SPDX-License-Identifier: Zlib
# tcl_round_trip.tcl write|read DIRECTORY - writes files with Tcl's zlib command, or reads what such a run wrote.
lassign $argv mode dir
set count 0
set text ""
for {set i 0} {$i < 9000} {incr i} {append text "line $i of the text, [expr {$i * 7919 % 1000}]\n"}
set dictionary "line of the text, "

proc check {ok what} {
	incr ::count
	if {![uplevel 1 [list expr $ok]]} {puts stderr "not ok: $what"; exit 1}
}
proc save {name data} {set f [open $::dir/$name wb]; puts -nonewline $f $data; close $f}
proc load_file {name} {set f [open $::dir/$name rb]; set data [read $f]; close $f; return $data}

if {$mode eq "write"} {save text $text}
for {set level 0} {$level <= 9} {incr level} {
	if {$mode eq "write"} {
		save raw$level [zlib deflate $text $level]
		save zlib$level [zlib compress $text $level]
		save gzip$level.gz [zlib gzip $text -level $level -header {comment {a comment} filename name time 1700000000 crc 1}]
		foreach format {deflate compress gzip} {
			# Tcl sets the dictionary again at each put, so there is one put with a dictionary
			set options [expr {$format eq "compress" ? [list -dictionary $dictionary] : {}}]
			set s [zlib stream $format -level $level {*}$options]
			if {$format eq "compress"} {$s put -finalize $text} else {for {set at 0} {$at < [string length $text]} {incr at 5000} {
				set flush [lindex {{} -flush -fullflush} [expr {$at / 5000 % 3}]]
				$s put {*}$flush [string range $text $at $at+4999]
			}
			$s finalize}
			save stream_$format$level[expr {$format eq "gzip" ? ".gz" : ""}] [$s get]
			$s close
		}
		set f [open $dir/channel$level.gz wb]
		zlib push gzip $f -level $level -header {filename name}
		foreach line [split [string trimright $text \n] \n] {puts $f $line; if {[incr n] % 2000 == 0} {flush $f}}
		close $f
	}
	check {[zlib inflate [load_file raw$level]] eq $text} "raw at $level"
	check {[zlib decompress [load_file zlib$level]] eq $text} "zlib at $level"
	check {[zlib gunzip [load_file gzip$level.gz] -headerVar header] eq $text} "gzip at $level"
	check {[dict get $header comment] eq "a comment" && [dict get $header time] == 1700000000} "header at $level"
	foreach {format pack} {inflate deflate decompress compress gunzip gzip} {
		set options [expr {$pack eq "compress" ? [list -dictionary $dictionary] : {}}]
		set data [load_file stream_$pack$level[expr {$pack eq "gzip" ? ".gz" : ""}]]
		set s [zlib stream $format {*}$options]
		set back ""
		for {set at 0} {$at < [string length $data]} {incr at 500} {
			$s put [string range $data $at $at+499]
			append back [$s get]
		}
		check {$back eq $text && [$s eof]} "stream of $pack at $level"
		$s close
	}
	set f [open $dir/channel$level.gz rb]
	zlib push gunzip $f
	check {[gets $f] eq "line 0 of the text, 0"} "first line"
	check {[string length [read $f]] == [string length $text] - 22} "the rest"
	close $f
}
set damaged [zlib compress $text]
set damaged [string replace $damaged 1000 1000 [binary format c [expr {[scan [string index $damaged 1000] %c] ^ 64}]]]
check {[catch {zlib decompress $damaged}]} "damage is not seen"
check {[zlib crc32 abc] == 0x352441c2 && [zlib adler32 abc] == 0x024d0127} "checksums"
puts "tcl: $mode, $count checks"
