-- What operators run in the console's SQL editor, and the queries that the team keeps.

create schema clew_sql_editor;

create table clew_sql_editor.runs (
  id uuid primary key,
  -- e-mail address
  operator text not null,
  at timestamptz not null,
  engine text not null check (engine in ('postgres', 'clickhouse')),
  role text,
  statement text not null,
  state text not null check (state in ('done', 'pending', 'committed', 'rolled back', 'failed')),
  duration_ms double precision not null,
  -- of the last statement; null where that is not known
  rows bigint,
  error text
);

create index runs_operator_at_idx on clew_sql_editor.runs (operator, at desc, id desc);

create table clew_sql_editor.queries (
  id uuid primary key,
  name text not null,
  engine text not null check (engine in ('postgres', 'clickhouse')),
  statement text not null,
  created_by text not null,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index queries_name_idx on clew_sql_editor.queries (lower(name), id);

revoke all on schema clew_sql_editor from public;
