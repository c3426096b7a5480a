-- What is done on pages lies by kind before it lies by page: a pattern over many pages reads rows of its own kind, and not all that
-- was done there. The rows go by another table into one of the same name and the other order: however often this is
-- interrupted, and begun again, one of the two has all of them. The view goes on filling the table of that name.
create table if not exists page_uses_by_kind as page_uses
engine = ReplacingMergeTree(received_at)
order by (toMonday(client_time), what, kind, page, toDate(client_time), cityHash64(distinct_id), uuid, part)
settings index_granularity = 1024;

insert into page_uses_by_kind
select *
from page_uses
where cityHash64(distinct_id) % {steps:UInt32} = {step:UInt32}
settings max_block_size = 8192, min_insert_block_size_bytes = 33554432, max_threads = 1;

create or replace table page_uses as page_uses_by_kind;

-- Parts are linked, not written.
alter table page_uses attach partition tuple() from page_uses_by_kind;

drop table if exists page_uses_by_kind;
