#!/usr/bin/env bash
# Initializes a server of the cluster on the first start of its container: Vostro's logins and database, the extension, and access
# from the shards' network. The coordinator starts last and is told its own address and those of the workers.
set -euo pipefail
ask() { psql --set=ON_ERROR_STOP=1 --username="${POSTGRES_USER:-postgres}" "$@"; }

ask --set=owner_password="$OWNER_PASSWORD" --set=login_password="$LOGIN_PASSWORD" --dbname=postgres <<'SQL'
create role vostro_owner login password :'owner_password' createrole;
create role vostro_login login password :'login_password';
create role vostro_service login;
grant vostro_service to vostro_owner with admin option;
create database vostro owner vostro_owner;
revoke connect on database vostro from public;
grant connect on database vostro to vostro_login, vostro_service;
SQL
ask --dbname=vostro --command='create extension citus'

# Only these servers are in that network. The first matching line applies.
lines='host vostro postgres,vostro_owner,vostro_service,vostro_login 10.93.0.0/24 trust
host all vostro_service all reject'
printf '%s\n%s\n' "$lines" "$(cat "$PGDATA/pg_hba.conf")" >"$PGDATA/pg_hba.conf"
ask --dbname=postgres --command='select pg_reload_conf()'

if [ -n "${CITUS_WORKERS:-}" ]; then
  ask --dbname=vostro --command="select citus_set_coordinator_host('coordinator', 5432)"
  for worker in $CITUS_WORKERS; do ask --dbname=vostro --command="select citus_add_node('$worker', 5432)"; done
fi
