create table public.orders (
  id bigint generated always as identity (start with 801) primary key,
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  total_cents int not null default 0,
  status text not null default 'new' check (status in ('new', 'brewing', 'ready', 'collected')),
  created_at timestamptz not null default now()
);

create table public.order_items (
  id bigint generated always as identity primary key,
  order_id bigint not null references public.orders (id) on delete cascade,
  product_id bigint not null references public.products (id),
  quantity int not null check (quantity between 1 and 50),
  unit_price_cents int not null
);

create index on public.orders (user_id);
create index on public.order_items (order_id);

alter table public.orders enable row level security;
alter table public.order_items enable row level security;

create policy "own orders" on public.orders for select to authenticated using (user_id = (select auth.uid()));
create policy "order for oneself" on public.orders for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "own items" on public.order_items for select to authenticated
  using (exists (select from public.orders o where o.id = order_id and o.user_id = (select auth.uid())));
create policy "items of one's own new order" on public.order_items for insert to authenticated
  with check (exists (
    select from public.orders o where o.id = order_id and o.user_id = (select auth.uid()) and o.status = 'new'));

-- What is ordered leaves the shelf. The price is the menu's, whatever the browser sent.
create function public.price_item() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select price_cents into strict new.unit_price_cents from public.products where id = new.product_id;
  return new;
end $$;

create function public.take_from_stock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.products set stock = stock - new.quantity where id = new.product_id;
  return new;
end $$;

create trigger price_item before insert on public.order_items
  for each row execute function public.price_item();
create trigger take_from_stock after insert on public.order_items
  for each row execute function public.take_from_stock();
