create schema clew_alerts;

-- What alerts of the whole instance know; those of one process are kept in it.
create table clew_alerts.states (
  rule text,
  -- What of the rule it is about; empty where there is but one.
  subject text,
  -- As `decide.ts` has it.
  state jsonb not null,
  primary key (rule, subject)
);

create table clew_alerts.notices (
  id bigint generated always as identity primary key,
  rule text not null,
  subject text not null,
  kind text not null check (kind in ('fired', 'still', 'resolved')),
  -- Null where it is endless.
  value float8,
  detail text,
  at timestamptz not null,
  -- Null while it is owed.
  sent_at timestamptz,
  -- Why it could not be sent.
  problem text
);

create index notices_owed on clew_alerts.notices (id) where sent_at is null;

-- One process at a time looks at what concerns the whole instance.
create table clew_alerts.turn (
  evaluated_at timestamptz not null
);
insert into clew_alerts.turn values ('-infinity');

revoke all on schema clew_alerts from public;
