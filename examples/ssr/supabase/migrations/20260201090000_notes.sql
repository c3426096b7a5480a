create table public.notes (
  id bigint generated always as identity primary key,
  owner uuid not null default auth.uid() references auth.users (id) on delete cascade,
  text text not null check (text <> ''),
  created_at timestamptz not null default now()
);

alter table public.notes enable row level security;

create policy "People see and keep their own notes" on public.notes
  for all to authenticated
  using ((select auth.uid()) = owner)
  with check ((select auth.uid()) = owner);
