-- A token opens what it was made for: the command line's routes, or the tools of agents.
alter table clew_operators.access_tokens
  add column purpose text not null default 'command line' check (purpose in ('command line', 'agent'));
