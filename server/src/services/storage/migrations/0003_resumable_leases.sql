-- Which request writes a resumable upload, in whichever process. A lease holds no connection while bytes arrive; that of a
-- process that ended runs out.
do $migration$
begin
  if to_regclass('clew_storage.resumable_uploads') is not null then
    alter table clew_storage.resumable_uploads
      add column if not exists holder uuid,
      add column if not exists held_until timestamptz;
  end if;
end
$migration$;
