#!/bin/bash
# Makes the workers that are named servers of the cluster, on whichever coordinator takes writes.
set -euo pipefail
coordinator='host=postgres,postgres-2,postgres-3 user=popindex dbname=popindex target_session_attrs=read-write'
name=$(psql --dbname="$coordinator" --no-align --tuples-only --command='\echo :HOST')
psql --dbname="$coordinator" --set=ON_ERROR_STOP=1 \
  --command="select citus_set_coordinator_host('$name', 5432)"
for worker in "$@"; do
  # One whose standby was promoted has another address by now.
  psql --dbname="$coordinator" --set=ON_ERROR_STOP=1 --command="
    select citus_add_node('$worker', 5432) where (select count(*) from pg_dist_node where groupid > 0) < $#"
done
