# `caisson service`: installs, removes and shows the systemd service. Read by both launchers, which set `root`, the
# directory they are in, and have `command_name`.

service_unit=/etc/systemd/system/caisson.service

service_usage() {
    cat <<'TEXT'
Usage: caisson service install|remove|status

  install   install caisson.service, start it now and at every boot; as root
  remove    stop it and take it away; data and configuration stay; as root
  status    say whether it is installed, runs and is ready

Configuration is in /etc/caisson/caisson.yaml, data in /var/lib/caisson, the log in the journal (journalctl -u caisson).
TEXT
}

service() {
    case "${1:-}" in
        install) service_needs root install && service_install ;;
        remove) service_needs root remove && service_remove ;;
        status) service_needs && service_status ;;
        -h | --help | '') service_usage ;;
        *)
            service_usage >&2
            return 2
            ;;
    esac
}

# $1: root, when only root may do it, $2: what
service_needs() {
    if [[ ! -d /run/systemd/system ]]; then
        printf 'caisson: systemd does not run on this machine. Start the server with: sudo %s serve\n' "$(command_name)" >&2
        return 1
    fi
    if [[ "${1:-}" == root && "$(id -u)" != 0 ]]; then
        printf 'caisson: only root can do that. Type: sudo %s service %s\n' "$(command_name)" "$2" >&2
        return 1
    fi
}

# The unit for a launcher that is not in the package's place. $1: the launcher
service_unit_for() {
    local home='s/^ProtectHome=.*/&/'
    # From a home directory nothing could be started that is hidden.
    [[ "$1" != /home/* && "$1" != /root/* ]] || home='s/^ProtectHome=.*/ProtectHome=read-only/'
    sed -e "s#^ExecStart=.*#ExecStart=\"$1\" serve#" -e "$home" "$(service_template)"
}

service_template() {
    local each
    for each in "$root/caisson.service" "$root/deploy/caisson.service"; do
        [[ ! -f "$each" ]] || { printf '%s' "$each" && return; }
    done
}

service_install() {
    # A package brings the unit itself.
    if [[ ! -f /usr/lib/systemd/system/caisson.service && ! -f /lib/systemd/system/caisson.service ]]; then
        service_unit_for "$root/caisson" >"$service_unit.new"
        chmod 644 "$service_unit.new"
        mv "$service_unit.new" "$service_unit"
    fi
    systemctl daemon-reload
    systemctl enable --now caisson.service
    systemctl --no-pager --lines=0 status caisson.service || true
    printf '\nThe server runs. The first key is in /var/lib/caisson/first-key: read it, then delete the file.\n'
    printf 'Log: journalctl -u caisson\n'
}

service_remove() {
    systemctl disable --now caisson.service || true
    rm -f "$service_unit"
    systemctl daemon-reload
    printf 'The service is removed. Data stays in /var/lib/caisson, configuration in /etc/caisson.\n'
}

service_status() {
    systemctl --no-pager --lines=5 status caisson.service
}
