create extension if not exists pg_cron with schema pg_catalog;
grant usage on schema cron to postgres;
grant all privileges on all tables in schema cron to postgres;

create table public.sessions (
  id uuid primary key default gen_random_uuid(),
  device text not null,
  expires_at timestamptz not null
);
create table public.clean_ups (at timestamptz not null default now(), removed integer not null);
alter table public.sessions enable row level security;
alter table public.clean_ups enable row level security;

create or replace function public.tidy_sessions() returns void
language plpgsql security definer set search_path = public
as $$
declare
  count integer;
begin
  delete from sessions where expires_at < now() - interval '7 days';
  get diagnostics count = row_count;
  insert into clean_ups (removed) values (count);
end
$$;
