-- The team: accounts of their own realm, apart from the application's users. Tokens are kept as SHA-256 only.
create schema if not exists clew_operators;

create table if not exists clew_operators.operators (
  id uuid primary key,
  email text not null check (email = lower(email)),
  name text not null,
  password_hash text not null,
  role text not null check (role in ('owner', 'developer', 'analyst', 'viewer')),
  created_at timestamptz not null,
  constraint operators_email_key unique (email)
);

create table if not exists clew_operators.operator_sessions (
  token_hash text primary key,
  operator_id uuid not null references clew_operators.operators (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create index if not exists operator_sessions_operator_id_idx on clew_operators.operator_sessions (operator_id);
create index if not exists operator_sessions_expires_at_idx on clew_operators.operator_sessions (expires_at);

create table if not exists clew_operators.setup_tokens (
  token_hash text primary key,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

revoke all on schema clew_operators from public;
