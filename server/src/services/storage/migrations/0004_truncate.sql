-- A truncation deletes rows without the triggers of each: their files are queued for removal all the same.
do $migration$
begin
  if to_regclass('clew_storage.removals') is null then
    return;
  end if;

  create or replace function clew_storage.queue_all_removals() returns trigger
  language plpgsql
  security definer
  set search_path = pg_catalog, pg_temp
  as $function$
  begin
    insert into clew_storage.removals (file_id)
    select version::uuid
    from storage.objects
    where version ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
    return null;
  end
  $function$;
  revoke all on function clew_storage.queue_all_removals from public;
  grant execute on function clew_storage.queue_all_removals to supabase_storage_admin;

  perform set_config('role', 'supabase_storage_admin', true);
  create or replace trigger queue_file_removals
    before truncate on storage.objects
    for each statement execute function clew_storage.queue_all_removals();
  perform set_config('role', 'none', true);
end
$migration$;
