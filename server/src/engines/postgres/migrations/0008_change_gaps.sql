-- What the change stream could not read, so that histories can say so, and which slots were made here: one that is
-- no longer there has left a gap.

create table clew.change_gaps (
  id bigint generated always as identity primary key,
  from_lsn pg_lsn,
  to_lsn pg_lsn,
  noticed_at timestamptz not null default now(),
  ended_at timestamptz,
  reason text not null
);

create table clew.change_slots (
  name text primary key,
  made_at timestamptz not null default now()
);
