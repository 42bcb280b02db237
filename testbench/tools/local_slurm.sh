#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
#
# A Slurm cluster on this one machine, for tests and to try `flitscope explore --slurm`: a
# controller and several slurmd, each a node with one processor, with its own keys and ports.
# Nothing outside FOLDER is written, and no root is needed.
#
#   local_slurm.sh start FOLDER [NODES]   prints the SLURM_CONF to export (3 nodes unless told)
#   local_slurm.sh kill FOLDER NODE       ends one slurmd with its steps, as a crash of it would
#   local_slurm.sh revive FOLDER NODE     starts it again
#   local_slurm.sh stop FOLDER
set -euo pipefail

# Debian keeps the daemons in folders that are only in the PATH of root.
PATH=$PATH:/usr/sbin:/sbin

usage() { sed -n 's/^#   //p' "$0" >&2; exit 2; }
[ $# -ge 2 ] || usage
action=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)

# N ports without a listener, one after the other.
free_ports() {
    python3 - "$1" <<'PYTHON'
import random, socket, sys
count = int(sys.argv[1])
while True:
    first = random.randrange(20000, 32000)
    held = []
    try:
        for port in range(first, first + count):
            held.append(socket.create_server(("127.0.0.1", port)))
    except OSError:
        continue
    finally:
        for one in held:
            one.close()
    print(first)
    break
PYTHON
}

write_configuration() {
    local nodes=$1 first host user
    first=$(free_ports $((nodes + 2)))
    host=$(hostname -s)
    user=$(id -un)
    # A job of a node that is gone begins again as soon as its credential has ended.
    cat >"$folder/slurm.conf" <<CONF
ClusterName=local
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$first
SlurmdPort=$((first + 1))
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,sched_interval=1,bf_interval=1,batch_sched_delay=0,default_queue_depth=1000
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
JobRequeue=1
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=300
MaxArraySize=10001
CompleteWait=0
NodeName=n[1-$nodes] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$((first + 2))-$((first + 1 + nodes))] CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

# Ends a daemon by a signal, if it is still there: its number may be that of another process.
end_daemon() {
    local process
    process=$(cat "$folder/run/$1.pid" 2>/dev/null || true)
    if [ -n "$process" ] && [ "$(cat "/proc/$process/comm" 2>/dev/null)" = "${1%%-*}" ]; then
        kill "-$2" "$process" 2>/dev/null || true
    fi
    rm -f "$folder/run/$1.pid"
}

# A process with all that it started, the shells of jobs included.
end_tree() {
    local child
    for child in $(pgrep -P "$1" || true); do end_tree "$child"; done
    kill -KILL "$1" 2>/dev/null || true
}

start() {
    local nodes=$1 node missing=()
    for program in munged slurmctld slurmd; do
        command -v $program >/dev/null || missing+=("$program")
    done
    if [ ${#missing[@]} -ne 0 ]; then
        echo "error: ${missing[*]} missing: apt-get install slurm-wlm munge" >&2
        exit 1
    fi
    mkdir -p "$folder"/{run,log,state,spool}
    chmod 755 "$folder" "$folder/run" "$folder/log"
    write_configuration "$nodes"
    (umask 077 && dd if=/dev/urandom of="$folder/run/munge.key" bs=1 count=1024 status=none)
    munged --force --key-file="$folder/run/munge.key" --socket="$folder/run/munge.socket" \
        --pid-file="$folder/run/munged.pid" --log-file="$folder/log/munged.log" \
        --seed-file="$folder/run/munge.seed" --num-threads=2 2>"$folder/log/munged.err"
    export SLURM_CONF=$folder/slurm.conf
    slurmctld -c
    for node in $(seq "$nodes"); do slurmd -N "n$node"; done
    for _ in $(seq 80); do
        if [ "$(sinfo -h -N -o %t 2>/dev/null | grep -c '^idle$')" -eq "$nodes" ]; then
            echo "export SLURM_CONF=$SLURM_CONF"
            return
        fi
        sleep 0.25
    done
    echo "error: the cluster does not come up; see $folder/log" >&2
    stop
    exit 1
}

# A slurmd and its steps, which would continue without it: they hold its log open.
end_node() {
    local step
    end_daemon "slurmd-$1" KILL
    for step in $(pgrep -f "^slurmstepd: \[" || true); do
        [ "$(readlink "/proc/$step/fd/3")" = "$folder/log/slurmd-$1.log" ] && end_tree "$step"
    done
    return 0
}

kill_node() {
    end_node "$1"
    SLURM_CONF=$folder/slurm.conf scontrol update NodeName="$1" State=DOWN Reason=killed
}

revive_node() {
    export SLURM_CONF=$folder/slurm.conf
    slurmd -N "$1"  # which registers, and is up again (ReturnToService)
}

# At once: daemons that are asked to end take seconds, and their state is not needed.
stop() {
    local file
    for file in "$folder"/run/slurmd-*.pid; do
        [ -e "$file" ] || continue
        file=${file##*/slurmd-}
        end_node "${file%.pid}"
    done
    end_daemon slurmctld KILL
    end_daemon munged TERM
}

case $action in
start) start "${3:-3}" ;;
kill) [ $# -eq 3 ] || usage; kill_node "$3" ;;
revive) [ $# -eq 3 ] || usage; revive_node "$3" ;;
stop) stop ;;
*) usage ;;
esac
