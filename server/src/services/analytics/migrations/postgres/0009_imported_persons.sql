-- Persons of another product, by their ids there, and the first of their distinct ids that was imported: an import names one
-- distinct id a row, in any order, and each further one is joined with the first.
create table if not exists clew_analytics.imported_persons (
  person_id text primary key,
  distinct_id text not null
);

create index if not exists imported_persons_distinct_id_idx on clew_analytics.imported_persons (distinct_id);
