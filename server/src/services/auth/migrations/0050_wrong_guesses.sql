-- Wrong guesses count against the code they were meant for. The network that asked for a code has a count of its own:
-- strangers who guess from elsewhere cannot make it worthless to the person who asked.
alter table auth.one_time_tokens
  add column if not exists requester text not null default '',
  add column if not exists guesses_of_requester integer not null default 0,
  add column if not exists guesses_of_others integer not null default 0;

alter table auth.mfa_challenges add column if not exists wrong_guesses integer not null default 0;
