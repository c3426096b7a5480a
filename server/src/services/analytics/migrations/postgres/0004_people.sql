-- The list of people: newest first, all of them or one kind, found by the beginnings of words and ids. Without an
-- extension: the application may bring its own pg_trgm. The new column writes the table anew, under a lock: half a minute
-- for ten million persons. It is a column, and not an expression in the index, so that other properties change in place.
alter table clew_analytics.persons add column if not exists words tsvector generated always as (
  to_tsvector(
    'simple'::regconfig,
    translate(
      lower(left(coalesce(properties ->> 'email', ''), 200) || ' ' || left(coalesce(properties ->> 'name', ''), 200)),
      '@.-_+/:;,''"&()\', '                '
    )
  )
) stored;

create index if not exists persons_words_idx on clew_analytics.persons using gin (words);
create index if not exists persons_newest_idx on clew_analytics.persons (created_at, id);
create index if not exists persons_kind_idx on clew_analytics.persons (is_identified, created_at, id);
create index if not exists persons_users_idx on clew_analytics.persons (created_at, id) where auth_user_id is not null;
create index if not exists distinct_ids_beginning_idx on clew_analytics.distinct_ids (distinct_id text_pattern_ops);
