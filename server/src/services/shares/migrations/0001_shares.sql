-- Links by which a person without an account sees a session, as far as the link allows.

create schema clew_shares;

create table clew_shares.shares (
  id uuid primary key,
  -- sha256 of the token, which is random and stands nowhere
  token_hash bytea not null unique,
  session_id text not null,
  lanes text[] not null,
  shows_values boolean not null,
  shows_person boolean not null,
  -- e-mail address
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  opened integer not null default 0,
  last_opened_at timestamptz
);

create index shares_session_idx on clew_shares.shares (session_id, created_at desc);

revoke all on schema clew_shares from public;
