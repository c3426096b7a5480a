create schema if not exists clew_thread;

-- Which recorded sessions an auth session was seen in, by calls that carried both.
create table if not exists clew_thread.session_users (
  session_id text not null,
  auth_session_id text not null,
  user_id uuid not null,
  distinct_id text,
  window_id text,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (session_id, auth_session_id, user_id)
);

create index if not exists session_users_user on clew_thread.session_users (user_id, last_at desc);
create index if not exists session_users_last on clew_thread.session_users (last_at);
