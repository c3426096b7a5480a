-- Who is asked to join the team, and as what. The token of the link is kept as a keyed hash.
create table if not exists clew_operators.invitations (
  id uuid primary key,
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'developer', 'analyst', 'viewer')),
  -- The address of the operator who asks, as it was.
  invited_by text not null,
  token_hash text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  constraint invitations_email_key unique (email)
);
