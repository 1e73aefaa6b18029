#!/usr/bin/env bash
# SPDX-License-Identifier: Zlib
# ssh -C to a throw-away sshd on the loopback, with its own keys and configuration; both ends on this libz.
. "$(dirname "$0")/common.sh"
need sshd openssh-server
need ssh openssh-client
sshd=$(command -v sshd)
user=$(id -un)
port=$(free_port)
made_run=no
if [ "$(id -u)" -eq 0 ] && [ ! -d /run/sshd ]; then      # sshd's own start script would make it
	mkdir -p /run/sshd && chmod 755 /run/sshd && made_run=yes
	trap 'clean_up; rmdir /run/sshd 2>/dev/null' EXIT
fi
ssh-keygen -q -t ed25519 -N '' -f "$work/host" && ssh-keygen -q -t ed25519 -N '' -f "$work/key" || fail "ssh-keygen"
cp "$work/key.pub" "$work/authorized"
chmod 700 "$work"; chmod 600 "$work/authorized"
cat >"$work/sshd.conf" <<CONF
ListenAddress 127.0.0.1
Port $port
HostKey $work/host
PidFile none
AuthorizedKeysFile $work/authorized
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
Compression yes
CONF
env LD_LIBRARY_PATH="$libdir" "$sshd" -D -e -f "$work/sshd.conf" 2>"$work/sshd.log" &
pids+=($!)
wait_for_port "$port"
grep -qF "$libdir/libz.so.1" "/proc/${pids[0]}/maps" || fail "sshd does not run on $libdir/libz.so.1"
ssh_options=(-F none -C -i "$work/key" -p "$port" -o UserKnownHostsFile="$work/known" -o StrictHostKeyChecking=no
	-o IdentitiesOnly=yes -o BatchMode=yes)
make_files "$work/files"
cat "$work/files"/text*.html "$work/files/noise.txt" "$work/files/numbers.txt" >"$work/big"

proved_on_it ssh -v "${ssh_options[@]}" "$user@127.0.0.1" cat <"$work/big" >"$work/back" 2>"$work/ssh.log" ||
	{ tail -20 "$work/ssh.log" "$work/sshd.log" >&2; fail "ssh -C"; }
grep -qi 'enabling compression\|compression: zlib@openssh.com' "$work/ssh.log" || fail "the connection was not compressed"
cmp "$work/big" "$work/back" || fail "the data came back changed"
for i in 1 2 3; do      # one end on the system's zlib
	ssh "${ssh_options[@]}" "$user@127.0.0.1" cat <"$work/big" 2>/dev/null | cmp - "$work/big" || fail "against the system's zlib"
done
say "$(stat -c %s "$work/big") bytes there and back"
