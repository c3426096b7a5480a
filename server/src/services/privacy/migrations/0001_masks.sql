create schema clew_privacy;

create table clew_privacy.masks (
  id uuid primary key,
  kind text not null check (kind in ('column', 'property')),
  -- Of a column: its name when it was masked.
  schema_name text,
  table_name text,
  column_name text,
  -- And its numbers (`oid`, `attnum`), which stay when table or column are renamed.
  relation oid,
  attnum smallint,
  property text,
  created_at timestamptz not null default now(),
  created_by text not null,
  check (
    (kind = 'property' and property is not null)
    or (kind = 'column' and schema_name is not null and table_name is not null and column_name is not null)
  )
);

create unique index masks_columns on clew_privacy.masks (schema_name, table_name, column_name) where kind = 'column';
create unique index masks_properties on clew_privacy.masks (property) where kind = 'property';

-- What is to be masked in what was stored before. A process works on one as long as its lease; each step bears repetition.
create table clew_privacy.jobs (
  id bigint generated always as identity primary key,
  -- What is masked, in words and as the list of it: both stay when the mask is removed.
  label text not null,
  list jsonb not null,
  created_by text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  -- What was masked where, a row a step: `{"pass":1,"store":"events","rows":12,"endedAt":"…"}`.
  done jsonb not null default '[]',
  steps int not null default 0,
  -- The store that is worked on, and its part that is done, from 0 to 1.
  store text,
  part real not null default 0,
  created_at timestamptz not null default now(),
  leased_until timestamptz not null default '-infinity',
  ended_at timestamptz,
  error text
);

create index jobs_open on clew_privacy.jobs (id) where state <> 'done';

-- Every column that is masked, by the name that it was masked under and the one that it has, in the table and its partitions.
create view clew_privacy.masked_columns as
with recursive named as (
  select m.id, m.schema_name, m.table_name, m.column_name, m.relation, a.attname
  from clew_privacy.masks m
  left join pg_attribute a on a.attrelid = m.relation and a.attnum = m.attnum and not a.attisdropped
  where m.kind = 'column'
), tables as (
  select id, relation, coalesce(attname, column_name::name) as attname from named where relation is not null
  union
  select id, to_regclass(format('%I.%I', schema_name, table_name))::oid, column_name::name from named
  where to_regclass(format('%I.%I', schema_name, table_name)) is not null
  union
  select t.id, i.inhrelid, t.attname from tables t join pg_inherits i on i.inhparent = t.relation
)
select id, schema_name, table_name, column_name from named
union
select t.id, n.nspname::text, c.relname::text, t.attname::text
from tables t
join pg_class c on c.oid = t.relation
join pg_namespace n on n.oid = c.relnamespace;

revoke all on schema clew_privacy from public;
