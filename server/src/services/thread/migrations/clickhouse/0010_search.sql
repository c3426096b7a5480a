-- A text is looked for in each path once, however many requests have it; few requests are then found by the index, many back
-- from the last. Requests that fail are rare where it takes long to find one: parts of the table have none.
alter table requests add projection if not exists paths (
  select path, count(), min(time), max(time)
  group by path
);
alter table requests add index if not exists path_index path type bloom_filter(0.01) granularity 1;
alter table requests add index if not exists status_index status type minmax granularity 1;
alter table requests materialize projection paths settings mutations_sync = 0;
alter table requests materialize index path_index settings mutations_sync = 0;
alter table requests materialize index status_index settings mutations_sync = 0;
