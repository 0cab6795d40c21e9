#!/usr/bin/env bash
# Creates Vostro's two logins and its database on the first start of the PostgreSQL container. The owner creates the tables and the
# service's role; the service's login owns nothing.
set -euo pipefail
psql --set=ON_ERROR_STOP=1 --set=owner_password="$OWNER_PASSWORD" --set=login_password="$LOGIN_PASSWORD" \
  --username="${POSTGRES_USER:-postgres}" --dbname=postgres <<'SQL'
create role vostro_owner login password :'owner_password' createrole;
create role vostro_login login password :'login_password';
create database vostro owner vostro_owner;
revoke connect on database vostro from public;
grant connect on database vostro to vostro_login;
SQL
