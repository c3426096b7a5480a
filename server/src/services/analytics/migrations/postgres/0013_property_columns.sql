-- How often a property of events was asked for on a day: what is asked for often has a column of its own in ClickHouse.
create table clew_analytics.property_uses (
  property text not null,
  day date not null,
  uses bigint not null,
  primary key (day, property)
);

-- The properties that have one, where ClickHouse has it too.
create table clew_analytics.property_columns (
  property text primary key,
  since timestamptz not null,
  -- When the values of earlier events were written; until then they are made as they are read.
  filled_at timestamptz,
  -- Since when no statement begins to read it: it is dropped soon.
  leaving_at timestamptz
);

-- One process at a time chooses them.
create table clew_analytics.property_turn (
  single boolean primary key default true check (single),
  taken_until timestamptz not null
);
insert into clew_analytics.property_turn (taken_until) values ('-infinity');

revoke all on clew_analytics.property_uses, clew_analytics.property_columns, clew_analytics.property_turn from public;
