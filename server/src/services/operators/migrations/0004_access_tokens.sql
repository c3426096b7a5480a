-- Tokens with which the command line acts for an operator; keyed hashes only. Those that expired go when a new one is made.
create table if not exists clew_operators.access_tokens (
  id uuid primary key,
  operator_id uuid not null references clew_operators.operators (id) on delete cascade,
  name text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_address text
);

create index if not exists access_tokens_operator_id_idx on clew_operators.access_tokens (operator_id);
