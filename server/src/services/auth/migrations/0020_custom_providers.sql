-- OAuth and OpenID Connect providers that administrators add. Addresses may be of this machine in development, so that
-- only the service decides which are allowed.
create table if not exists auth.custom_oauth_providers (
  id uuid primary key default gen_random_uuid(),
  provider_type text not null check (provider_type in ('oauth2', 'oidc')),
  identifier text not null unique check (identifier ~ '^[a-z0-9][a-z0-9:-]{0,48}[a-z0-9]$'),
  name text not null check (char_length(name) between 1 and 100),
  client_id text not null check (char_length(client_id) between 1 and 512),
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text check (char_length(issuer) between 1 and 2048),
  discovery_url text check (char_length(discovery_url) <= 2048),
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text check (char_length(authorization_url) <= 2048),
  token_url text check (char_length(token_url) <= 2048),
  userinfo_url text check (char_length(userinfo_url) <= 2048),
  jwks_uri text check (char_length(jwks_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  custom_claims_allowlist text[] not null default '{}',
  constraint custom_oauth_providers_oidc_requires_issuer check (provider_type <> 'oidc' or issuer is not null),
  constraint custom_oauth_providers_oauth2_requires_endpoints check (
    provider_type <> 'oauth2'
    or (authorization_url is not null and token_url is not null and userinfo_url is not null)
  )
);

create index if not exists custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);

alter table auth.custom_oauth_providers owner to supabase_auth_admin;
alter table auth.custom_oauth_providers enable row level security;
revoke all on auth.custom_oauth_providers from anon, authenticated, service_role;
grant all on auth.custom_oauth_providers to postgres;
