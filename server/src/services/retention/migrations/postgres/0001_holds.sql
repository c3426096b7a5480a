-- What may not be removed: a session, a person, or all that was kept in a span of time.
create schema clew_retention;

create table clew_retention.holds (
  id uuid primary key,
  kind text not null check (kind in ('session', 'person', 'span')),
  session_id text,
  -- of analytics
  person_id uuid,
  -- of auth
  user_id uuid,
  -- every id that analytics knew the person by, so that the hold outlives what joins and splits people
  ids text[] not null default '{}',
  from_at timestamptz,
  -- null for all that comes
  to_at timestamptz,
  reason text not null,
  -- e-mail addresses
  created_by text not null,
  created_at timestamptz not null,
  -- null until an owner ends it
  until timestamptz,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  check (case kind
    when 'session' then session_id is not null
    when 'person' then person_id is not null or user_id is not null
    else from_at is not null and (to_at is null or to_at > from_at)
  end)
);

create index holds_open_idx on clew_retention.holds (created_at) where ended_at is null;

revoke all on schema clew_retention from public;
