-- The extensions that every project finds in place.

create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pgcrypto with schema extensions;

do $$
begin
  if exists (select from pg_catalog.pg_available_extensions where name = 'pg_stat_statements') then
    create extension if not exists pg_stat_statements with schema extensions;
  end if;
exception
  when insufficient_privilege then
    raise notice 'pg_stat_statements is not there: a superuser may create it.';
end
$$;
