-- A flow without a code to exchange is bound to the browser that began it, by the hash of what its cookie holds. A way to
-- sign in that is added by a flow with a code is added when the code is exchanged, by whoever began it.
alter table auth.flow_state
  add column if not exists nonce_hash text,
  add column if not exists pending_sign_in jsonb;
