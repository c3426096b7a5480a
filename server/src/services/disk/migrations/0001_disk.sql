create schema clew_disk;

-- What each kind of data took, hour by hour.
create table clew_disk.samples (
  hour timestamptz,
  kind text,
  bytes bigint not null,
  primary key (hour, kind)
);

-- A clean-up a day, of the process that has its lease.
create table clew_disk.runs (
  day date primary key,
  leased_until timestamptz not null,
  -- What is being deleted, in words.
  doing text,
  -- `[{"kind":"requests","what":"requests of 2026-01-31","bytes":9000000}]`.
  freed jsonb not null default '[]',
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  error text
);

revoke all on schema clew_disk from public;
