create schema if not exists clew_analytics;

create table if not exists clew_analytics.persons (
  id uuid primary key,
  properties jsonb not null default '{}',
  -- property name → milliseconds since 1970 of the event that last set or removed it: an older event changes nothing
  property_times jsonb not null default '{}',
  created_at timestamptz not null,
  is_identified boolean not null default false,
  auth_user_id uuid unique,
  linked_at timestamptz
);

create table if not exists clew_analytics.distinct_ids (
  distinct_id text primary key,
  person_id uuid not null references clew_analytics.persons (id) on delete cascade
);

create index if not exists distinct_ids_person_id_idx on clew_analytics.distinct_ids (person_id);

-- Secrets of the days: who asked for no cookies is counted by a hash that cannot be made again once its secret is gone.
create table if not exists clew_analytics.daily_secrets (
  day date primary key,
  secret text not null
);

-- Changes that were applied, so that a resent one is not applied again over what came after it. Kept for some days.
create table if not exists clew_analytics.applied_changes (
  uuid uuid primary key,
  applied_at timestamptz not null
);

create index if not exists applied_changes_applied_at_idx on clew_analytics.applied_changes (applied_at);
