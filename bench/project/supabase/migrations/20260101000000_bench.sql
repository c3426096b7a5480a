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

-- A thousand chapters under ten authors, for embeds of two levels.
create table public.bench_authors (
  id bigint generated always as identity primary key,
  name text not null
);
create table public.bench_books (
  id bigint generated always as identity primary key,
  author_id bigint not null references public.bench_authors,
  title text not null
);
create index on public.bench_books (author_id);
create table public.bench_chapters (
  id bigint generated always as identity primary key,
  book_id bigint not null references public.bench_books,
  title text not null
);
create index on public.bench_chapters (book_id);
insert into public.bench_authors (name) select 'Author ' || n from generate_series(1, 100) n;
insert into public.bench_books (author_id, title) select 1 + n % 100, 'Book ' || n from generate_series(0, 999) n;
insert into public.bench_chapters (book_id, title) select 1 + n % 1000, 'Chapter ' || n from generate_series(0, 9999) n;

-- Notes that only their owners see.
create table public.bench_notes (
  id bigint generated always as identity primary key,
  owner uuid not null,
  body text not null
);
create index on public.bench_notes (owner, id);
alter table public.bench_notes enable row level security;
create policy "own notes" on public.bench_notes for select using (owner = (select auth.uid()));
insert into public.bench_notes (owner, body)
select ('00000000-0000-7000-8000-' || lpad((n % 10)::text, 12, '0'))::uuid, 'Note ' || n from generate_series(1, 5000) n;

create function public.bench_price(item bigint, quantity int) returns bigint language sql stable
as 'select price_cents::bigint * quantity from public.bench_items where id = item';

-- The same rows with their history and without: before-values cost a longer log record.
create table public.bench_kept (id int primary key, body text not null, quantity int not null);
create table public.bench_plain (like public.bench_kept including all);
alter table public.bench_plain replica identity default;
insert into public.bench_kept select n, repeat('An ordinary row. ', 20), 0 from generate_series(1, 1000) n;
insert into public.bench_plain select * from public.bench_kept;
