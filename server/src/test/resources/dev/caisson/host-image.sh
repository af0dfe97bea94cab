#!/bin/sh
# Makes a small root file system of this machine's own files: Python with its standard library and a module of its own,
# a shell and a few programs. Stands in the place of debootstrap.
# Usage: host-image.sh DIRECTORY
set -eu
root=$1
library=$(/usr/bin/python3 -I -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
mkdir -p "$root/usr/bin" "$root/usr/lib64" "$root/etc" "$root$library" "$root/usr/lib/python3/dist-packages"
for link in bin lib lib64; do ln -s "usr/$link" "$root/$link"; done
for program in bash sh env cat head tr ls sleep; do cp -L "/usr/bin/$program" "$root/usr/bin/"; done
cp -L /usr/bin/python3 "$root/usr/bin/python3"
(cd "$library" && tar -c --exclude=test --exclude=__pycache__ --exclude=idlelib --exclude=tkinter --exclude=lib2to3 \
    --exclude='config-*' --exclude=sitecustomize.py .) | tar -x -C "$root$library"
ldd "$root"/usr/bin/* "$root$library"/lib-dynload/*.so 2>/dev/null |
    sed -n 's#.*=> \(/[^ ]*\) (.*#\1#p; s#^[[:space:]]*\(/[^ ]*\) (.*#\1#p' | sort -u |
    while read -r file; do
        [ -e "$root$file" ] || { mkdir -p "$root$(dirname "$file")" && cp -L "$file" "$root$file"; }
    done
echo "ORIGIN = 'image'" >"$root/usr/lib/python3/dist-packages/imagepack.py"
chmod -R a+rX "$root"
