create schema clew_exports;

create table clew_exports.exports (
  id uuid primary key,
  name text not null unique,
  kinds text[] not null,
  format text not null check (format in ('parquet', 'csv', 'jsonl')),
  -- As cron reads it, in UTC.
  schedule text not null,
  -- Null for Amazon's.
  endpoint text,
  region text not null,
  bucket text not null,
  prefix text not null,
  path_style boolean not null,
  access_key_id text not null,
  -- Under a key that follows from the data directory's.
  secret_sealed text not null,
  paused boolean not null default false,
  created_at timestamptz not null default now(),
  created_by text not null,
  next_at timestamptz not null,
  -- Who asked for a run now.
  asked_by text,
  -- Up to when rows are in the bucket, an instant a kind: `{"events":"2026-01-31T12:00:00.000Z"}`.
  stored_to jsonb not null default '{}',
  -- The process that works on it, and how long it has it without being heard of.
  leased_by uuid,
  leased_until timestamptz not null default '-infinity'
);

-- A run goes on in whichever process has the lease, until it is done or has failed for good.
create table clew_exports.runs (
  id bigint generated always as identity primary key,
  export_id uuid not null references clew_exports.exports on delete cascade,
  -- Null for the schedule.
  asked_by text,
  -- It exports what was stored before then.
  until timestamptz not null,
  state text not null default 'running' check (state in ('running', 'done', 'failed')),
  -- What a kind came to: `{"events":{"files":2,"rows":600000,"bytes":9000000}}`.
  counts jsonb not null default '{}',
  -- The file that is being written: after a crash it is written again under the name that it has.
  pending jsonb,
  -- Failures since the last file that was written.
  failures int not null default 0,
  retry_at timestamptz,
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  error text
);

create unique index runs_open on clew_exports.runs (export_id) where state = 'running';
create index runs_newest on clew_exports.runs (export_id, id desc);

revoke all on schema clew_exports from public;
