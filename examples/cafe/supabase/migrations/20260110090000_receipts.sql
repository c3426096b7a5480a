-- Written by the function "receipt" with the project's own key: guests read their receipts, and write none.
create table public.receipts (
  order_id bigint primary key references public.orders (id) on delete cascade,
  total_cents int not null,
  tax_cents int not null,
  issued_at timestamptz not null default now()
);

alter table public.receipts enable row level security;

create policy "receipts of own orders" on public.receipts for select to authenticated
  using (exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid())));
