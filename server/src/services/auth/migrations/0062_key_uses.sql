-- When a key of the API was last used, to the minute. A key is named by a part of its hash: one that is replaced begins anew.
create table if not exists auth.key_uses (
  name text not null,
  fingerprint text not null,
  last_used_at timestamptz not null,
  primary key (name, fingerprint)
);

alter table auth.key_uses owner to supabase_auth_admin;
alter table auth.key_uses enable row level security;
grant all on auth.key_uses to postgres;
revoke all on auth.key_uses from anon, authenticated, service_role;
-- Nobody asks for the history of these rows, which change while the API is used.
alter table auth.key_uses replica identity nothing;
