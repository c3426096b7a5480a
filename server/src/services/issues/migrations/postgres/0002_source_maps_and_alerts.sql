-- Source maps, each content once: in the database, as the files of functions are, so that a backup holds them and every
-- process finds them.
create table if not exists clew_issues.source_maps (
  hash text primary key,
  -- gzip.
  content bytea not null,
  size_bytes integer not null,
  uploaded_at timestamptz not null
);

-- The built files that a source map explains.
create table if not exists clew_issues.built_files (
  -- Empty for a file of no release.
  release text not null,
  -- Its path below what was uploaded, as `assets/index-BxY3k2.js`.
  path text not null,
  chunk_id text,
  hash text not null references clew_issues.source_maps (hash) on delete cascade,
  uploaded_at timestamptz not null,
  primary key (release, path)
);
create index if not exists built_files_chunk on clew_issues.built_files (chunk_id) where chunk_id is not null;
create index if not exists built_files_hash on clew_issues.built_files (hash);
create index if not exists built_files_name on clew_issues.built_files (reverse(split_part(reverse(path), '/', 1)));

-- One row, by whose lock one process at a time sends alerts.
create table if not exists clew_issues.alerting (
  is_only boolean primary key default true check (is_only),
  last_sent_at timestamptz
);
insert into clew_issues.alerting default values on conflict do nothing;
