echo "running as $(id -un) in $PWD"
date -u +"%Y-%m-%d %H:%M:%S" >> visits.txt
echo "this thread has been visited $(wc -l < visits.txt) time(s)"
ls -l
