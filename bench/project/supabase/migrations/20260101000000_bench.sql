create table public.bench_items (
  id bigint generated always as identity primary key,
  name text not null,
  price_cents int not null,
  tags text[] not null,
  created_at timestamptz not null default now()
);
insert into public.bench_items (name, price_cents, tags)
select 'Item ' || n, n % 1000, array['a', 'b'] from generate_series(1, 10000) n;

create table public.bench_rows (
  id bigint generated always as identity primary key,
  name text not null,
  quantity int not null,
  created_at timestamptz not null default now()
);
