-- A secret is read while its key is renewed.
do $$
begin
  if exists (select from pg_extension where extname = 'supabase_vault' and extversion = '0.3.2') then
    alter extension supabase_vault update to '0.3.3';
  end if;
end
$$;
