-- Surveys: what is asked, of whom, and when. Answers are events.

create schema clew_surveys;

create table clew_surveys.surveys (
  id uuid primary key,
  name text not null,
  description text not null default '',
  type text not null check (type in ('popover', 'widget', 'api')),
  -- in PostHog's form, as are appearance and conditions
  questions jsonb not null,
  appearance jsonb not null default '{}',
  conditions jsonb not null default '{}',
  linked_flag_key text,
  schedule text not null default 'once' check (schedule in ('once', 'always')),
  partial_responses boolean not null default false,
  start_date timestamptz,
  end_date timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by text not null default '',
  -- archived surveys keep their answers
  deleted_at timestamptz
);

-- Every process has the running surveys in its memory, and reads them again when they have changed, however that was.
create function clew_surveys.announce() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  notify clew_surveys;
  return null;
end
$$;

create trigger surveys_announce after insert or update or delete or truncate on clew_surveys.surveys
for each statement execute function clew_surveys.announce();

revoke all on schema clew_surveys from public;
revoke all on all functions in schema clew_surveys from public;
