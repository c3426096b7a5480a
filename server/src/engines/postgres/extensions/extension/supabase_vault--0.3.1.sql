-- Secrets in the schema `vault`. A secret is encrypted (AES-256-CBC) and then authenticated (HMAC-SHA-256 of its id, nonce
-- and ciphertext), so that none can be read without the key, altered, or put in another's place.

do $$
begin
  if to_regnamespace('vault') is null then
    create schema vault;
  elsif not (select r.rolsuper from pg_namespace n join pg_roles r on r.oid = n.nspowner where n.nspname = 'vault') then
    raise exception 'the schema "vault" belongs to another role'
      using errcode = 'insufficient_privilege', hint = 'Drop it: the extension creates its own.';
  end if;
end
$$;

-- Two keys of 32 bytes, for encryption and for authentication, in a file that the server's user alone may read. No table,
-- setting or statement holds them.
create function vault._key() returns bytea
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  key bytea := pg_read_binary_file(current_setting('unix_socket_directories') || '/vault.key', true);
begin
  if key is null or length(key) <> 64 then
    raise exception 'the key of the vault is missing'
      using errcode = 'config_file_error', hint = 'Clew writes it when it starts the server: start Clew again.';
  end if;
  return key;
end
$$;

create function vault._authenticate(id uuid, nonce bytea, ciphertext bytea) returns bytea
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select @extschema:pgcrypto@.hmac(uuid_send(id) || nonce || ciphertext, substr(vault._key(), 33), 'sha256')
$$;

create function vault._encrypt(plaintext text, id uuid, nonce bytea) returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  ciphertext bytea := @extschema:pgcrypto@.encrypt_iv(
    convert_to(plaintext, 'utf8'), substr(vault._key(), 1, 32), nonce, 'aes-cbc/pad:pkcs'
  );
begin
  return translate(encode(ciphertext || vault._authenticate(id, nonce, ciphertext), 'base64'), E'\n', '');
end
$$;

create function vault._decrypt(secret text, id uuid, nonce bytea) returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  bytes bytea := decode(secret, 'base64');
  ciphertext bytea := substr(bytes, 1, greatest(length(bytes) - 32, 0));
begin
  if length(nonce) = 16
    and substr(bytes, length(ciphertext) + 1) = vault._authenticate(id, nonce, ciphertext) then
    return convert_from(
      @extschema:pgcrypto@.decrypt_iv(ciphertext, substr(vault._key(), 1, 32), nonce, 'aes-cbc/pad:pkcs'), 'utf8'
    );
  end if;
  raise exception 'the secret % cannot be decrypted', id
    using errcode = 'data_corrupted',
      detail = 'It was encrypted with another key, or changed since.',
      hint = 'The data directory needs the keys.json that it had when the secret was stored.';
end
$$;

create table vault.secrets (
  id uuid primary key default gen_random_uuid(),
  name text,
  description text not null default '',
  secret text not null,
  key_id uuid,
  nonce bytea not null,
  created_at timestamptz not null default current_timestamp,
  updated_at timestamptz not null default current_timestamp
);

create unique index on vault.secrets (name) where name is not null;

comment on table vault.secrets is 'Secrets in encrypted form; vault.decrypted_secrets shows them.';

select pg_catalog.pg_extension_config_dump('vault.secrets', '');

create view vault.decrypted_secrets as
select
  s.id,
  s.name,
  s.description,
  s.secret,
  vault._decrypt(s.secret, s.id, s.nonce) as decrypted_secret,
  s.key_id,
  s.nonce,
  s.created_at,
  s.updated_at
from vault.secrets s;

-- `new_key_id` is taken for the sake of older callers, and changes nothing.
create function vault.create_secret(
  new_secret text,
  new_name text default null,
  new_description text default '',
  new_key_id uuid default null
) returns uuid
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  new_id uuid := gen_random_uuid();
  new_nonce bytea := @extschema:pgcrypto@.gen_random_bytes(16);
begin
  insert into vault.secrets (id, name, description, secret, nonce)
  values (new_id, new_name, new_description, vault._encrypt(new_secret, new_id, new_nonce), new_nonce);
  return new_id;
end
$$;

-- Null leaves a value as it is. A new secret has a new nonce.
create function vault.update_secret(
  secret_id uuid,
  new_secret text default null,
  new_name text default null,
  new_description text default null,
  new_key_id uuid default null
) returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  new_nonce bytea := @extschema:pgcrypto@.gen_random_bytes(16);
begin
  update vault.secrets s
  set
    secret = case when new_secret is null then s.secret else vault._encrypt(new_secret, s.id, new_nonce) end,
    nonce = case when new_secret is null then s.nonce else new_nonce end,
    name = coalesce(new_name, s.name),
    description = coalesce(new_description, s.description),
    updated_at = now()
  where s.id = secret_id;
end
$$;

revoke all on all tables in schema vault from public;
revoke all on all functions in schema vault from public;

grant usage on schema vault to postgres with grant option;
grant select, delete, truncate, references on vault.secrets, vault.decrypted_secrets to postgres with grant option;
grant execute on function vault.create_secret, vault.update_secret, vault._decrypt to postgres with grant option;

grant usage on schema vault to service_role;
grant select, delete on vault.secrets, vault.decrypted_secrets to service_role;
grant execute on function vault.create_secret, vault.update_secret, vault._decrypt to service_role;
