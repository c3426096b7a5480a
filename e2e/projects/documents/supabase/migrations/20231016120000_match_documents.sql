create or replace function match_documents (
  query_embedding extensions.vector(4),
  match_threshold float,
  match_count int
)
returns table (id bigint, title text, similarity float)
language sql stable
as $$
  select
    documents.id,
    documents.title,
    1 - (documents.embedding <=> query_embedding) as similarity
  from documents
  where 1 - (documents.embedding <=> query_embedding) > match_threshold
  order by documents.embedding <=> query_embedding
  limit match_count;
$$;
