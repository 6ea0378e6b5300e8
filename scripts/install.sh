#!/bin/sh
# Puts phux-mcp beside an existing phux: install.sh FROM [--to FOLDER]
#
# FROM is a folder with a release (SHA256SUMS and the archives), or an https address of one. The archive for this machine is
# verified before anything of it is used, and the program appears whole or not at all.
set -eu

say() { printf '%s\n' "install.sh: $*" >&2; }
fail() { say "$*"; exit 1; }
usage() {
  say "$*"
  printf '%s\n' 'usage: install.sh FROM [--to FOLDER]' >&2
  exit 2
}

from='' to=''
while [ $# -gt 0 ]; do
  case $1 in
    --to) [ $# -ge 2 ] || usage '--to needs a folder'; to=$2; shift 2 ;;
    --to=*) to=${1#--to=}; shift ;;
    -*) usage "unknown option $1" ;;
    *) [ -z "$from" ] || usage 'one release at a time'; from=$1; shift ;;
  esac
done
[ -n "$from" ] || usage 'which release? give a folder or an https address'

# What the archives are called: scripts/release/platform.ts.
platform() {
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "there is no phux-mcp for a $(uname -m) machine" ;;
  esac
  case $(uname -s) in
    Darwin)
      # A shell that is translated says x86_64 on a machine that is not.
      [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || echo 0)" != 1 ] || machine=arm64
      echo "macos-$machine"
      ;;
    Linux)
      if ldd --version 2>&1 | grep -qi musl; then echo "linux-$machine-musl"; else echo "linux-$machine-glibc"; fi
      ;;
    *) fail "phux-mcp is for Linux and macOS, and this is $(uname -s)" ;;
  esac
}

sum_of() {
  if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# Copies one file of the release, or fails with what stood in the way.
fetch() {
  case $from in
    https://* | http://127.0.0.1:* | http://localhost:*)
      if command -v curl >/dev/null 2>&1; then
        curl --fail --silent --show-error --location --retry 2 --max-time 600 --output "$2" "$from/$1"
      else
        wget -q -T 60 -O "$2" "$from/$1"
      fi || fail "$from/$1 could not be fetched"
      ;;
    *://*) fail "only https is taken: the sums come from the same place as the archive" ;;
    *) cp "$from/$1" "$2" 2>/dev/null || fail "there is no $1 in $from" ;;
  esac
}

from=${from%/}
if [ -z "$to" ]; then
  phux=$(command -v phux) || fail 'no phux on PATH: install phux first, or say where with --to FOLDER'
  # The launcher looks beside the program itself, not beside a link to it.
  while [ -L "$phux" ]; do
    link=$(readlink "$phux")
    case $link in /*) phux=$link ;; *) phux=$(dirname "$phux")/$link ;; esac
  done
  to=$(dirname "$phux")
fi
[ -d "$to" ] || fail "$to is no folder"
[ -w "$to" ] || fail "$to cannot be written to by $(id -un): run this as its owner, or choose another with --to FOLDER"
name=$(platform)

work=$(mktemp -d "$to/.phux-mcp-install.XXXXXX") || fail "no room in $to"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

fetch SHA256SUMS "$work/SHA256SUMS"
line=$(grep -E "^[0-9a-f]{64}  phux-mcp-[^/ ]*-$name\.tar\.gz\$" "$work/SHA256SUMS" || true)
[ "$(printf '%s' "$line" | grep -c .)" = 1 ] || fail "this release has no archive for $name"
archive=${line#*  }
fetch "$archive" "$work/archive.tar.gz"
[ "$(sum_of "$work/archive.tar.gz")" = "${line%%  *}" ] ||
  fail "$archive is not what SHA256SUMS says: nothing was installed"
tar -xzf "$work/archive.tar.gz" -C "$work" "${archive%.tar.gz}/phux-mcp" || fail "$archive cannot be unpacked"
program=$work/${archive%.tar.gz}/phux-mcp
chmod 755 "$program"
if ! version=$("$program" --version 2>"$work/error"); then
  case $name in *-musl) say 'on Alpine the program needs: apk add libstdc++' ;; esac
  fail "the program does not run here: $(head -n 1 "$work/error")"
fi

before=''
[ ! -x "$to/phux-mcp" ] || before=$("$to/phux-mcp" --version 2>/dev/null || echo 'one that did not run')
mv -f "$program" "$to/phux-mcp"
say "installed $version in $to/phux-mcp${before:+ in place of $before}"
say "register it with a host: $to/phux-mcp register"
