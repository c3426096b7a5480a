-- The keys are read once for a secret: between two readings of the file a new key may have come before them.
create or replace function vault._decrypt(secret text, id uuid, nonce bytea) returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  bytes bytea := decode(secret, 'base64');
  sealed bytea := substr(bytes, 1, greatest(length(bytes) - 32, 0));
  key bytea := (
    select k.key
    from vault._keys() as k (key)
    where length(nonce) = 16
      and substr(bytes, length(sealed) + 1) = @extschema:pgcrypto@.hmac(
        uuid_send(id) || nonce || sealed, substr(k.key, 33), 'sha256'
      )
    limit 1
  );
begin
  if key is not null then
    return convert_from(
      @extschema:pgcrypto@.decrypt_iv(sealed, substr(key, 1, 32), nonce, 'aes-cbc/pad:pkcs'),
      'utf8'
    );
  end if;
  raise exception 'the secret % cannot be decrypted', id
    using errcode = 'data_corrupted',
      detail = 'It was encrypted with another key, or changed since.',
      hint = 'The data directory needs the keys.json that it had when the secret was stored.';
end
$$;
