-- The versions of functions that are kept, with their files, and which of them answers calls. All is in the database: a
-- version, its files and the switch to it are committed together, a backup holds them, and a second process finds them.
create schema if not exists clew_functions;

create table if not exists clew_functions.functions (
  name text primary key,
  -- What the project folder held when a version was last made from it; null where none was.
  folder_hash text
);

create table if not exists clew_functions.versions (
  id uuid primary key,
  function text not null references clew_functions.functions (name) on delete cascade,
  number integer not null,
  made_at timestamptz not null,
  -- The operator's e-mail address; null for a version of the project folder.
  made_by text,
  entry text not null,
  import_map text,
  config text,
  static_files text[] not null,
  verify_jwt boolean not null,
  hash text not null,
  size_bytes integer not null,
  constraint versions_number_key unique (function, number)
);

-- The version that answers; null until the first one has started.
alter table clew_functions.functions
  add column if not exists active uuid references clew_functions.versions (id) on delete set null;

create table if not exists clew_functions.files (
  version_id uuid not null references clew_functions.versions (id) on delete cascade,
  path text not null,
  content bytea not null,
  primary key (version_id, path)
);

-- Values are encrypted with a key that is not in the database.
create table if not exists clew_functions.secrets (
  name text primary key,
  sealed_value text not null,
  -- A keyed hash of the value, by which two values can be told apart.
  digest text not null,
  updated_at timestamptz not null
);

revoke all on schema clew_functions from public;
