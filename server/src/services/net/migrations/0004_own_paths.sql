-- A pg_net that was created before takes paths of the instance's own API as addresses, as a new one does.
do $migration$
begin
  if exists (
    select from pg_proc
    where oid = to_regprocedure('net._encode_url_with_params_array(text, text[])') and pg_get_userbyid(proowner) = current_user
  ) then
    create or replace function net._encode_url_with_params_array(url text, params_array text[]) returns text
    language plpgsql
    immutable strict
    set search_path = pg_catalog, pg_temp
    as $function$
    declare
      address text := split_part(url, '#', 1);
      query text := array_to_string(params_array, '&');
    begin
      -- A path of the instance's own API.
      if url ~ '^/[a-z]+/v1/' then
        null;
      elsif url !~ '^[A-Za-z][A-Za-z0-9+.-]*:' then
        raise exception 'Malformed input to a URL function' using hint = 'Begin the URL with http:// or https://.';
      elsif url !~* '^https?://' then
        raise exception 'Unsupported URL scheme' using hint = 'Begin the URL with http:// or https://.';
      elsif url !~* '^https?://[^/?#]' then
        raise exception 'No host part in the URL' using hint = 'Name a host behind the two slashes.';
      end if;
      if query = '' then
        return url;
      end if;
      return address
        || case when strpos(address, '?') = 0 then '?' when right(address, 1) in ('?', '&') then '' else '&' end
        || query
        || substr(url, length(address) + 1);
    end
    $function$;
  end if;
end
$migration$;
