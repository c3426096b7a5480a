create table public.invoices (
  id bigint generated always as identity (start with 5001) primary key,
  order_id bigint not null unique references public.orders (id) on delete cascade,
  customer_id uuid references auth.users (id) on delete cascade,
  total_cents int not null,
  issued_at timestamptz not null default now()
);

alter table public.invoices enable row level security;

-- Deliberately wrong: invoices are issued below without their customer, so this hides every one of them.
-- "My invoices" stays empty, and the console shows which request came back with nothing.
create policy "own invoices" on public.invoices for select to authenticated
  using (customer_id = (select auth.uid()));

create function public.issue_invoice() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.invoices (order_id, total_cents) values (new.id, new.total_cents);
  return new;
end $$;

create trigger issue_invoice after insert on public.orders
  for each row execute function public.issue_invoice();
