-- The session that a visitor without cookies is in; their id is a day's, and rows of a day ago are deleted.
create table if not exists clew_analytics.cookieless_sessions (
  distinct_id text primary key,
  session_id text not null,
  last_at timestamptz not null
);

create index if not exists cookieless_sessions_last_at_idx on clew_analytics.cookieless_sessions (last_at);
