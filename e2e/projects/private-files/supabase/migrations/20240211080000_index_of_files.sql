create table public.files (
  object_id uuid primary key references storage.objects (id) on delete cascade,
  owner_id uuid,
  name text not null
);
alter table public.files enable row level security;
create policy "files are their owner's" on public.files for select using (owner_id = auth.uid());

create or replace function public.index_file() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if new.bucket_id = 'documents' then
    insert into public.files (object_id, owner_id, name)
    values (new.id, (storage.foldername(new.name))[1]::uuid, storage.filename(new.name));
  end if;
  return new;
end $$;

create trigger index_file after insert on storage.objects for each row execute function public.index_file();
