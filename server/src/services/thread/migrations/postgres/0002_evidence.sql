-- Who was in a session is concluded from all that was seen, so that nothing seen later takes the place of it: a row
-- for each tab and id of the browser that a sign-in was seen with.
alter table clew_thread.session_users
  -- When the sign-in ended, or another one was begun in its place; null while neither is known.
  add column if not exists ended_at timestamptz,
  -- Address and user agent of the calls, a space between them; a few of each.
  add column if not exists programs text[] not null default '{}';

-- Locks the table while the index is made; it has a row for each sign-in seen in a recorded session.
alter table clew_thread.session_users drop constraint if exists session_users_pkey;
create unique index if not exists session_users_seen on clew_thread.session_users
  (session_id, auth_session_id, user_id, window_id, distinct_id) nulls not distinct;
create index if not exists session_users_distinct on clew_thread.session_users (distinct_id, first_at);
create index if not exists session_users_auth_session on clew_thread.session_users (auth_session_id);
