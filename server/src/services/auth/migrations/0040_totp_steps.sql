-- The last time step whose code was accepted, so that no code is accepted twice (RFC 6238 §5.2).
alter table auth.mfa_factors add column if not exists last_totp_step bigint;
-- Two people may challenge their factors in the same millisecond.
alter table auth.mfa_factors drop constraint if exists mfa_factors_last_challenged_at_key;
