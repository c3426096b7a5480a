create schema if not exists clew_issues;
revoke all on schema clew_issues from public;

-- What is counted of an issue stands in ClickHouse, by its fingerprints: what is here changes seldom.
create table if not exists clew_issues.issues (
  id uuid primary key,
  title text not null,
  type text not null,
  message text not null,
  culprit text not null,
  level text not null,
  source text not null,
  state text not null default 'open' check (state in ('open', 'resolved', 'ignored')),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Of the first and of the latest exception that named one.
  first_release text,
  last_release text,
  -- The operator's e-mail address; null for none.
  assigned_to text,
  resolved_at timestamptz,
  -- Whether it is reopened only by a release that was first seen after it was resolved.
  resolved_in_next_release boolean not null default false
);
create index if not exists issues_last_seen on clew_issues.issues (last_seen_at desc, id);

-- Merging two issues gives the fingerprints of one to the other.
create table if not exists clew_issues.fingerprints (
  fingerprint text primary key,
  issue_id uuid not null references clew_issues.issues (id) on delete cascade
);
create index if not exists fingerprints_issue on clew_issues.fingerprints (issue_id);

create table if not exists clew_issues.releases (
  name text primary key,
  first_seen_at timestamptz not null
);

-- What happened to an issue. An alert is owed for `created` and `reopened` until `alerted_at` says that it was sent, or
-- that there was nothing to send.
create table if not exists clew_issues.history (
  id bigint generated always as identity primary key,
  issue_id uuid not null references clew_issues.issues (id) on delete cascade,
  at timestamptz not null,
  kind text not null check (
    kind in ('created', 'reopened', 'resolved', 'ignored', 'opened', 'assigned', 'merged')
  ),
  -- The operator's e-mail address; null for what happened by itself.
  operator text,
  details text,
  alerted_at timestamptz
);
create index if not exists history_issue on clew_issues.history (issue_id, id);
create index if not exists history_owed on clew_issues.history (id)
  where alerted_at is null and kind in ('created', 'reopened');

create table if not exists clew_issues.rules (
  id uuid primary key,
  position integer not null,
  name text not null,
  action text not null check (action in ('group', 'ignore')),
  conditions jsonb not null
);
