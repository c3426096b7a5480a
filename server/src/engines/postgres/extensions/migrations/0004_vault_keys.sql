-- The vault takes several keys, so that its key can be renewed while it is in use.
do $$
begin
  if exists (select from pg_extension where extname = 'supabase_vault' and extversion = '0.3.1') then
    alter extension supabase_vault update to '0.3.2';
  end if;
end
$$;
