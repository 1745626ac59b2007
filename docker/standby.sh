#!/bin/bash
# Copies whichever server takes writes, unless there is a copy, and follows it from then on: after a
# promotion it finds the new primary by itself. With `copy` it ends once the copy is made.
set -euo pipefail
servers=${SERVERS:-postgres,postgres-2,postgres-3}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install --directory --mode=0700 --owner=postgres --group=postgres "$PGDATA"
  # The address is kept as primary_conninfo, the password with it.
  primary="host=$servers user=$POSTGRES_USER password=$POSTGRES_PASSWORD"
  primary="$primary application_name=$SERVER_NAME target_session_attrs=read-write connect_timeout=3"
  until gosu postgres pg_basebackup --dbname="$primary" --pgdata="$PGDATA" --write-recovery-conf \
    --checkpoint=fast; do
    sleep 1
  done
fi
if [ "${1:-}" != copy ]; then exec docker-entrypoint.sh postgres; fi
