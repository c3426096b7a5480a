-- Sessions that can be listed and ended, and second factors. Tokens and codes are kept as keyed hashes, the secret of an
-- authenticator app encrypted: whoever reads these tables learns nothing that opens the console. Sessions and set-up links
-- from before have plain hashes; they end, and are asked for again.
delete from clew_operators.operator_sessions;
delete from clew_operators.setup_tokens;

alter table clew_operators.operator_sessions
  add column if not exists id uuid not null unique,
  add column if not exists address text not null,
  add column if not exists user_agent text not null,
  add column if not exists last_seen_at timestamptz not null,
  -- When the operator last proved to be there with all that the account asks for.
  add column if not exists proven_at timestamptz not null;

create table if not exists clew_operators.operator_totp (
  operator_id uuid primary key references clew_operators.operators (id) on delete cascade,
  sealed_secret text not null,
  created_at timestamptz not null,
  -- Null until its first code was right.
  confirmed_at timestamptz,
  -- The last time step whose code was accepted, so that no code is accepted twice (RFC 6238, section 5.2).
  last_step bigint
);

create table if not exists clew_operators.operator_passkeys (
  id uuid primary key,
  operator_id uuid not null references clew_operators.operators (id) on delete cascade,
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index if not exists operator_passkeys_operator_id_idx on clew_operators.operator_passkeys (operator_id);

create table if not exists clew_operators.operator_recovery_codes (
  code_hash text primary key,
  operator_id uuid not null references clew_operators.operators (id) on delete cascade
);

create index if not exists operator_recovery_codes_operator_id_idx
  on clew_operators.operator_recovery_codes (operator_id);
