-- What may be accepted once: signed messages of wallets, assertions of identity providers. A row is needed only until
-- what it stands for would be refused anyway.
create table if not exists auth.single_use (
  purpose text not null,
  id text not null,
  expires_at timestamptz not null,
  primary key (purpose, id)
);

create index if not exists single_use_expires_at_idx on auth.single_use (expires_at);

alter table auth.single_use owner to supabase_auth_admin;
alter table auth.single_use enable row level security;
grant all on auth.single_use to postgres;
revoke all on auth.single_use from anon, authenticated, service_role;

-- An identity provider may say when a session ends; in a PKCE flow that is before the session begins.
alter table auth.flow_state add column if not exists session_not_after timestamptz;
