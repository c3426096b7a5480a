-- Experiments: what is measured of those whom a flag shows its variants, from when to when, and what was concluded.

create schema clew_experiments;

create table clew_experiments.experiments (
  id uuid primary key,
  name text not null,
  -- what is expected, and why
  hypothesis text not null default '',
  flag_key text not null,
  -- what is measured, the first decides: schemas.ts
  metrics jsonb not null,
  started_at timestamptz,
  ended_at timestamptz,
  -- the variant that was chosen, or null for none, and why
  conclusion jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null default '',
  deleted_at timestamptz
);

revoke all on schema clew_experiments from public;
