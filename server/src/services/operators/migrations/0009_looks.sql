-- What operators looked at stands beside what they did, with the persons that it was about.
alter table clew_operators.actions add column kind text not null default 'change' check (kind in ('change', 'look'));
-- Ids of persons of analytics and of users of the application.
alter table clew_operators.actions add column about text[] not null default '{}';

create index actions_about_idx on clew_operators.actions using gin (about) where about <> '{}';
create index actions_looks_idx on clew_operators.actions (operator_id, target, at desc) where kind = 'look';
