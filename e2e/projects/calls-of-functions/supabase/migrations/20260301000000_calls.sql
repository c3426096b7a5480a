create extension if not exists pg_cron;
create extension if not exists pgmq;

create table public.notes (
  id bigint generated always as identity primary key,
  source text not null,
  about text not null,
  step text not null,
  at timestamptz not null default now()
);
create table public.orders (id text primary key);

select pgmq.create('orders');
select cron.schedule('report', '0 3 * * *', $$select net.http_post('/functions/v1/note?from=job')$$);
create trigger order_placed after insert on public.orders for each row
  execute function supabase_functions.http_request('/functions/v1/note?from=webhook', 'POST', '{}', '{}', '10000');
create trigger file_stored after insert on storage.objects for each row
  execute function supabase_functions.http_request('/functions/v1/note?from=storage', 'POST', '{}', '{}', '10000');
