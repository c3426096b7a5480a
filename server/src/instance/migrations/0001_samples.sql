-- The sample of visits that a data directory began with: expected (no day), begun (its rows of PostgreSQL are in), loaded.
create schema if not exists clew_instance;

create table if not exists clew_instance.samples (
  one boolean primary key default true check (one),
  -- Midnight at which the day begins that the visits are shown on.
  day timestamptz,
  loaded_at timestamptz
);
