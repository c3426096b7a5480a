create table public.categories (
  id bigint generated always as identity primary key,
  name text not null unique,
  position int not null default 0
);

create table public.products (
  id bigint generated always as identity primary key,
  category_id bigint not null references public.categories (id),
  name text not null,
  description text not null default '',
  price_cents int not null check (price_cents >= 0),
  stock int not null default 0 check (stock >= 0),
  hue int not null default 30
);

create index on public.products (category_id);

alter table public.categories enable row level security;
alter table public.products enable row level security;

create policy "anyone reads the menu" on public.categories for select using (true);
create policy "anyone reads the products" on public.products for select using (true);

create policy "staff change products" on public.products for update to authenticated
  using ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff')
  with check ((select auth.jwt() -> 'app_metadata' ->> 'role') = 'staff');
