-- Enable the pgvector extension to work with embedding vectors
create extension if not exists vector with schema extensions;

create table public.documents (
  id bigint primary key generated always as identity,
  owner_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  title text not null,
  body text not null default '',
  embedding extensions.vector(4)
);

create index on documents using hnsw (embedding vector_cosine_ops) with (m = 16, ef_construction = 64);

alter table documents enable row level security;
create policy "documents are their owner's" on documents
  to authenticated using (owner_id = (select auth.uid())) with check (owner_id = (select auth.uid()));
