#!/bin/bash
# Runs once, when the data folder of the first primary is made: whoever copies it may, and a commit
# waits until one other server has it. The latter takes effect with the next start, after this.
set -euo pipefail
echo 'host replication all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
alter system set wal_keep_size = '1GB';
alter system set wal_log_hints = on;
alter system set wal_retrieve_retry_interval = '500ms';
alter system set synchronous_standby_names = 'ANY 1 ("postgres", "postgres-2", "postgres-3")';
SQL
