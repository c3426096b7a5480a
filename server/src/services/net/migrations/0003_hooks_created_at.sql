-- Old rows of `supabase_functions.hooks` are deleted as those of the deliveries are.
do $migration$
begin
  if to_regclass('clew_net.deliveries') is not null and to_regclass('supabase_functions.hooks') is not null then
    -- Waits for writers and holds them up while it is made: a moment where deliveries are kept for days.
    create index if not exists supabase_functions_hooks_created_at_idx on supabase_functions.hooks (created_at);
  end if;
end
$migration$;
