-- The bucket and the path of a product's photograph, as uploads answer them in fullPath.
alter table public.products add column photo text;

-- Everybody sees them, since the bucket is public; the people behind the counter add, replace and remove them.
create policy "staff keep the photographs" on storage.objects for all to authenticated
  using (bucket_id = 'photos' and (select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff')
  with check (bucket_id = 'photos' and (select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');
