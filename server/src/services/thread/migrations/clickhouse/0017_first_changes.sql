-- What a request changed first is told of the sessions of a list: with the operation in it the projection answers that alone,
-- where rows of as many keys were read from as many places of the table. It keeps its name; the old one is gone before.
alter table changes drop projection if exists by_request settings mutations_sync = 1;
alter table changes add projection if not exists by_request (
  select request_id, schema_name, table_name, operation, key, lsn, seq
  order by request_id
);
alter table changes materialize projection by_request settings mutations_sync = 0;
