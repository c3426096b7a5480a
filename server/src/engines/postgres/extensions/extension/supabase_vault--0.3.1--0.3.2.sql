-- Several keys at once: the file `vault.key` has 64 bytes for each, first the one that encrypts. All of them decrypt, so that
-- the key can be another from one statement to the next.

-- The keys in their order.
create function vault._keys() returns setof bytea
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  keys bytea := pg_read_binary_file(current_setting('unix_socket_directories') || '/vault.key', true);
begin
  if keys is null or length(keys) = 0 or length(keys) % 64 <> 0 then
    raise exception 'the key of the vault is missing'
      using errcode = 'config_file_error', hint = 'Clew writes it when it starts the server: start Clew again.';
  end if;
  return query select substr(keys, 64 * n + 1, 64) from generate_series(0, length(keys) / 64 - 1) as n;
end
$$;

create or replace function vault._key() returns bytea
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select key from vault._keys() as key limit 1
$$;

-- Which of the keys a secret is encrypted with, from 1 on; null for none of them.
create function vault._key_number(secret text, id uuid, nonce bytea) returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select k.number
  from
    (select decode(secret, 'base64') as bytes) s,
    vault._keys() with ordinality as k (key, number)
  where length(nonce) = 16
    and substr(s.bytes, greatest(length(s.bytes) - 32, 0) + 1) = @extschema:pgcrypto@.hmac(
      uuid_send(id) || nonce || substr(s.bytes, 1, greatest(length(s.bytes) - 32, 0)), substr(k.key, 33), 'sha256'
    )
  order by k.number
  limit 1
$$;

create or replace function vault._decrypt(secret text, id uuid, nonce bytea) returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  bytes bytea := decode(secret, 'base64');
  key bytea := (
    select k.key
    from vault._keys() with ordinality as k (key, number)
    where k.number = vault._key_number(secret, id, nonce)
  );
begin
  if key is not null then
    return convert_from(
      @extschema:pgcrypto@.decrypt_iv(
        substr(bytes, 1, length(bytes) - 32), substr(key, 1, 32), nonce, 'aes-cbc/pad:pkcs'
      ),
      'utf8'
    );
  end if;
  raise exception 'the secret % cannot be decrypted', id
    using errcode = 'data_corrupted',
      detail = 'It was encrypted with another key, or changed since.',
      hint = 'The data directory needs the keys.json that it had when the secret was stored.';
end
$$;

-- Encrypts secrets of another key with the first, as many as are asked for; one that none of the keys decrypts stays.
create function vault._reencrypt(most integer) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  done bigint;
begin
  with other as materialized (
    select s.id, @extschema:pgcrypto@.gen_random_bytes(16) as new_nonce
    from vault.secrets s
    where vault._key_number(s.secret, s.id, s.nonce) > 1
    order by s.id
    limit most
    for update
  )
  update vault.secrets s
  set secret = vault._encrypt(vault._decrypt(s.secret, s.id, s.nonce), s.id, o.new_nonce), nonce = o.new_nonce
  from other o
  where o.id = s.id;
  get diagnostics done = row_count;
  return done;
end
$$;

revoke all on function vault._keys, vault._key_number, vault._reencrypt from public;
