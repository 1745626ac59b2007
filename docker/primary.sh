#!/bin/bash
# Runs once, when the data folder of a server of the cluster is made: whoever copies it may, a commit
# waits until one standby has it, and the servers know each other's password. Most of it takes effect
# with the next start, after this.
set -euo pipefail
echo 'host replication all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
psql --set=ON_ERROR_STOP=1 --set=names="$STANDBY_NAMES" --set=password="password=$POSTGRES_PASSWORD" \
  --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
alter system set wal_level = logical;
alter system set wal_keep_size = '1GB';
alter system set wal_log_hints = on;
alter system set wal_retrieve_retry_interval = '500ms';
alter system set max_connections = 300;
-- Where PostgreSQL knows this setting no shard is moved beside the writers without it.
select count(*) > 0 as is_known from pg_settings where name = 'output_plugin_libraries' \gset
\if :is_known
alter system set output_plugin_libraries = 'pgoutput', 'test_decoding', 'citus';
\endif
create extension if not exists citus;
insert into pg_dist_authinfo values (0, current_user, :'password'), (-1, current_user, :'password');
-- Last: who makes the extension reads the settings again, and would wait for a standby.
alter system set synchronous_standby_names = :'names';
SQL
