-- Feature flags: definitions, cohorts, values of single persons, and what was changed by whom.

create schema clew_flags;

create table clew_flags.flags (
  id bigint generated always as identity primary key,
  key text not null,
  description text not null default '',
  active boolean not null default true,
  -- conditions, variants and payloads, in PostHog's form
  filters jsonb not null default '{"groups": []}',
  keeps_bucket boolean not null default false,
  bucketing text not null default 'distinct_id' check (bucketing in ('distinct_id', 'device_id')),
  runtime text not null default 'all' check (runtime in ('all', 'client', 'server')),
  contexts text[] not null default '{}',
  has_experiment boolean not null default false,
  -- what users are told of a feature that they switch on for themselves: name, stage, documentationUrl
  early_access jsonb,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null default '',
  -- archived flags are off for all, and keep their history
  deleted_at timestamptz
);

create unique index flags_key_idx on clew_flags.flags (key) where deleted_at is null;

create table clew_flags.changes (
  flag_id bigint not null references clew_flags.flags (id) on delete cascade,
  version integer not null,
  changed_at timestamptz not null default now(),
  changed_by text not null,
  -- the flag as it was after the change
  flag jsonb not null,
  primary key (flag_id, version)
);

create table clew_flags.cohorts (
  id bigint generated always as identity primary key,
  name text not null,
  -- null for a list of persons
  filters jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null default '',
  deleted_at timestamptz
);

-- By distinct id, so that merging two persons moves what was set for either.
create table clew_flags.cohort_members (
  cohort_id bigint not null references clew_flags.cohorts (id) on delete cascade,
  distinct_id text not null,
  primary key (cohort_id, distinct_id)
);

create index cohort_members_distinct_id_idx on clew_flags.cohort_members (distinct_id);

create table clew_flags.overrides (
  flag_id bigint not null references clew_flags.flags (id) on delete cascade,
  distinct_id text not null,
  -- true, false or the key of a variant
  value jsonb not null,
  primary key (flag_id, distinct_id)
);

create index overrides_distinct_id_idx on clew_flags.overrides (distinct_id);

-- The bucket that a person had before they identified themselves, of flags that keep it.
create table clew_flags.buckets (
  flag_id bigint not null references clew_flags.flags (id) on delete cascade,
  distinct_id text not null,
  bucket text not null,
  kept_at timestamptz not null default now(),
  primary key (flag_id, distinct_id)
);

create index buckets_distinct_id_idx on clew_flags.buckets (distinct_id);

-- Every process has the definitions in its memory, and reads them again when they have changed, however that was.
create function clew_flags.announce() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  notify clew_flags;
  return null;
end
$$;

create trigger flags_announce after insert or update or delete or truncate on clew_flags.flags
for each statement execute function clew_flags.announce();

create trigger cohorts_announce after insert or update or delete or truncate on clew_flags.cohorts
for each statement execute function clew_flags.announce();

create trigger cohort_members_announce after insert or update or delete or truncate on clew_flags.cohort_members
for each statement execute function clew_flags.announce();

create trigger overrides_announce after insert or update or delete or truncate on clew_flags.overrides
for each statement execute function clew_flags.announce();

revoke all on schema clew_flags from public;
revoke all on all functions in schema clew_flags from public;
