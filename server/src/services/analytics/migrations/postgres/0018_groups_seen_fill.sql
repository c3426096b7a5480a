-- As of persons: up to which group, as a JSON array of its type and key, what was stored before was looked through.
create table clew_analytics.groups_seen_fill (
  single boolean primary key default true check (single),
  after_id text not null default ''
);
insert into clew_analytics.groups_seen_fill (single)
select true where exists (select from clew_analytics.group_types);

revoke all on clew_analytics.groups_seen_fill from public;
