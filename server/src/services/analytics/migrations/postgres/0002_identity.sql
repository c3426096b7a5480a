-- Splits by an operator: id of the split → the side that the person is on. Persons on two sides of a split are not merged.
alter table clew_analytics.persons add column if not exists splits jsonb not null default '{}';

-- Types of groups, numbered in the order in which they appear; flags and their definitions name a type by its number.
create table if not exists clew_analytics.group_types (
  type text primary key,
  index smallint not null unique check (index between 0 and 4),
  created_at timestamptz not null
);

create table if not exists clew_analytics.groups (
  type text not null references clew_analytics.group_types (type),
  key text not null,
  properties jsonb not null default '{}',
  -- as of persons: property name → milliseconds since 1970 of the event that last set it
  property_times jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (type, key)
);
