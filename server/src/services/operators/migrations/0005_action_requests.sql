-- Which request an action was part of: a change that it made names its operator. Empty before this was kept.
alter table clew_operators.actions add column if not exists request_id text not null default '';

create index if not exists actions_request_id_idx on clew_operators.actions (request_id) where request_id <> '';
