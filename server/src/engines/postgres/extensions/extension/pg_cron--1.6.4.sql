-- The tables and functions of pg_cron 1.6. Clew's process runs the jobs: it hears of changes by NOTIFY.
--
-- Every function runs with its caller's rights, whose name is the job's owner. What a caller may do to a job is decided
-- by the row security of `cron.job` and, for roles that bypass it, by the trigger `check_job`.

create schema cron;

create sequence cron.jobid_seq;

create table cron.job (
  jobid bigint primary key default pg_catalog.nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport int not null default pg_catalog.current_setting('port')::int,
  database text not null default pg_catalog.current_database(),
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);

create sequence cron.runid_seq;

create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default pg_catalog.nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);

alter table cron.job enable row level security;
create policy cron_job_policy on cron.job
  using (username operator(pg_catalog.=) current_user);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details
  using (username operator(pg_catalog.=) current_user);

select pg_catalog.pg_extension_config_dump('cron.job', '');
select pg_catalog.pg_extension_config_dump('cron.jobid_seq', '');
select pg_catalog.pg_extension_config_dump('cron.job_run_details', '');
select pg_catalog.pg_extension_config_dump('cron.runid_seq', '');

-- The value of a number or name in a schedule; null where it is neither. Names count from `low`.
create function cron.read_number(word text, low int, names text[]) returns numeric
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    array_position(names, lower(word)) - 1 + low,
    case when word ~ '^[0-9]+$' then word::numeric end
  )
$$;

-- Whether a field of a schedule can be read: `*`, numbers, names, ranges and steps between commas. What follows a value
-- without a comma is passed over, as cron does.
create function cron.is_field(field text, low int, high int, names text[]) returns boolean
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  rest text := field;
  item text[];
  first_value numeric;
  last_value numeric;
  step numeric;
begin
  loop
    item := regexp_match(
      rest,
      '^((?:(\*)|([0-9A-Za-z]+)(?:(-)([0-9A-Za-z]*))?)(?:(/)([0-9A-Za-z]*))?(,)?)'
    );
    if item is null then
      return false;
    end if;
    first_value := case when item[2] is null then cron.read_number(item[3], low, names) else low end;
    last_value := case
      when item[2] is not null then high
      when item[4] is not null then cron.read_number(item[5], low, names)
      else first_value
    end;
    if first_value is null or last_value is null
      or first_value not between low and high or last_value not between low and high
    then
      return false;
    end if;
    if item[6] is not null then
      step := cron.read_number(item[7], 0, null);
      if step is null or step not between 1 and high or (item[2] is null and item[4] is null) then
        return false;
      end if;
    end if;
    if item[8] is null then
      return true;
    end if;
    rest := substr(rest, length(item[1]) + 1);
  end loop;
end
$$;

-- Whether a schedule can be read; Clew's process reads it by the same rules (services/cron/schedule).
create function cron.is_schedule(schedule text) returns boolean
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  line text := regexp_replace(schedule, '^(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*', '');
  fields text[];
begin
  if lower(schedule) ~ '^[ \t\n\v\f\r]*\+?0*[1-5]?[0-9][ \t\n\v\f\r]*second(s[ \t\n\v\f\r]*)?$' then
    return substring(schedule from '[0-9]+')::numeric between 1 and 59;
  end if;
  if octet_length(schedule) >= 1000 then
    return false;
  end if;
  if line like '@%' then
    return substring(line from '^@([^ \t\n]*)') = any (array[
      'reboot', 'restart', 'yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'
    ]);
  end if;
  fields := regexp_match(
    line,
    '^([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)[ \t]+([^ \t\n]+)'
  );
  return fields is not null
    and cron.is_field(fields[1], 0, 59, null)
    and cron.is_field(fields[2], 0, 23, null)
    and (fields[3] = '$' or cron.is_field(fields[3], 1, 31, null))
    and cron.is_field(fields[4], 1, 12, array[
      'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'
    ])
    and cron.is_field(fields[5], 0, 7, array['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);
end
$$;

create function cron.is_superuser(role_name text) returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (select from pg_roles where rolname = role_name and rolsuper)
$$;

create function cron.check_job() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op <> 'INSERT' and old.username <> current_user and not cron.is_superuser(current_user) then
    raise exception 'permission denied for table job' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'DELETE' then
    return old;
  end if;
  if cron.is_superuser(new.username) then
    raise exception 'cannot schedule jobs as superuser'
      using errcode = 'insufficient_privilege',
        detail = 'Scheduling jobs as superuser is disallowed when cron.enable_superuser_jobs is set to off.';
  end if;
  if new.username <> current_user and not cron.is_superuser(current_user) then
    raise exception 'must be superuser to create a job for another role' using errcode = 'internal_error';
  end if;
  if not cron.is_schedule(new.schedule) then
    raise exception 'invalid schedule: %', new.schedule
      using errcode = 'invalid_parameter_value',
        hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
  if not has_database_privilege(new.username, new.database, 'connect') then
    raise exception 'User % does not have CONNECT privilege on %', new.username, new.database
      using errcode = 'internal_error';
  end if;
  return new;
end
$$;

create trigger check_job
  before insert or update or delete on cron.job
  for each row execute function cron.check_job();

create function cron.job_cache_invalidate() returns trigger
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_notify('clew_cron', '');
  return null;
end
$$;
comment on function cron.job_cache_invalidate() is 'invalidate job cache';

create trigger cron_job_cache_invalidate
  after insert or update or delete or truncate on cron.job
  for each statement execute function cron.job_cache_invalidate();

-- The owner of a new job: the caller, or the role that a superuser names.
create function cron.owner_of(username text) returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  can_login boolean;
begin
  if username is null then
    return current_user;
  end if;
  if not cron.is_superuser(current_user) then
    raise exception 'must be superuser to create a job for another role' using errcode = 'internal_error';
  end if;
  select rolcanlogin into can_login from pg_roles where rolname = username;
  if not found then
    raise exception 'role "%" does not exist', username using errcode = 'internal_error';
  end if;
  if not can_login then
    raise exception 'role "%" can not log in', username
      using errcode = 'internal_error',
        detail = 'Jobs may only be run by roles that have the LOGIN attribute.';
  end if;
  return username;
end
$$;

create function cron.save_job(
  new_name text, new_schedule text, new_command text, new_database text, new_username text, new_active boolean
) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
declare
  saved_id bigint;
begin
  if new_schedule is null then
    raise exception 'schedule can not be NULL' using errcode = 'internal_error';
  end if;
  if new_command is null then
    raise exception 'command can not be NULL' using errcode = 'internal_error';
  end if;
  insert into cron.job (schedule, command, database, username, active, jobname)
  values (
    new_schedule, new_command, coalesce(new_database, current_database()), cron.owner_of(new_username),
    coalesce(new_active, true), new_name
  )
  on conflict on constraint jobname_username_uniq do update
    set schedule = excluded.schedule, command = excluded.command, database = excluded.database
  returning jobid into saved_id;
  return saved_id;
end
$$;

create function cron.schedule(schedule text, command text) returns bigint
language sql
strict
set search_path = pg_catalog, pg_temp
as $$
  select cron.save_job(null, $1, $2, null, null, true)
$$;
comment on function cron.schedule(text, text) is 'schedule a pg_cron job';

create function cron.schedule(job_name text, schedule text, command text) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if $1 is null then
    raise exception 'job_name can not be NULL' using errcode = 'internal_error';
  end if;
  return cron.save_job($1, $2, $3, null, null, true);
end
$$;
comment on function cron.schedule(text, text, text) is 'schedule a pg_cron job';

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
) returns bigint
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if $1 is null then
    raise exception 'job_name can not be NULL' using errcode = 'internal_error';
  end if;
  return cron.save_job($1, $2, $3, $4, $5, $6);
end
$$;
comment on function cron.schedule_in_database(text, text, text, text, text, boolean) is 'schedule a pg_cron job';

create function cron.alter_job(
  job_id bigint, schedule text default null, command text default null, database text default null,
  username text default null, active boolean default null
) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
  if $1 is null then
    raise exception 'job_id can not be NULL' using errcode = 'internal_error';
  end if;
  if $5 is not null and not cron.is_superuser(current_user) then
    raise exception 'must be superuser to alter username' using errcode = 'internal_error';
  end if;
  if $2 is null and $3 is null and $4 is null and $5 is null and $6 is null then
    raise exception 'no updates specified'
      using errcode = 'internal_error',
        hint = 'You must specify at least one job attribute to change when calling alter_job';
  end if;
  update cron.job j
  set
    schedule = coalesce($2, j.schedule),
    command = coalesce($3, j.command),
    database = coalesce($4, j.database),
    username = case when $5 is null then j.username else cron.owner_of($5) end,
    active = coalesce($6, j.active)
  where j.jobid = $1 and (j.username = current_user or cron.is_superuser(current_user));
  if not found then
    raise exception 'Job % does not exist or you don''t own it', $1 using errcode = 'internal_error';
  end if;
end
$$;
comment on function cron.alter_job(bigint, text, text, text, text, boolean)
  is 'Alter the job identified by job_id. Any option left as NULL will not be modified.';

create function cron.unschedule(job_id bigint) returns boolean
language plpgsql
strict
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from cron.job where jobid = $1;
  if not found then
    raise exception 'could not find valid entry for job %', $1 using errcode = 'internal_error';
  end if;
  return true;
end
$$;
comment on function cron.unschedule(bigint) is 'unschedule a pg_cron job';

create function cron.unschedule(job_name text) returns boolean
language plpgsql
strict
set search_path = pg_catalog, pg_temp
as $$
begin
  delete from cron.job where jobname = $1 and username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', $1 using errcode = 'internal_error';
  end if;
  return true;
end
$$;
comment on function cron.unschedule(text) is 'unschedule a pg_cron job';

-- Who may use the schema may schedule jobs that run with that role's own rights.
grant select, insert, update, delete on cron.job to public;
grant usage, select on sequence cron.jobid_seq to public;
grant select, delete on cron.job_run_details to public;
grant select on sequence cron.runid_seq to public;
revoke all on function cron.alter_job(bigint, text, text, text, text, boolean) from public;
revoke all on function cron.schedule_in_database(text, text, text, text, text, boolean) from public;

-- Neither TRIGGER nor REFERENCES: what an application attaches to these tables would run with the rights of others.
grant usage on schema cron to postgres with grant option;
grant select, insert, update, delete on cron.job to postgres with grant option;
grant select, insert, update, delete, truncate on cron.job_run_details to postgres with grant option;
grant usage, select on sequence cron.jobid_seq, cron.runid_seq to postgres with grant option;
grant execute on all functions in schema cron to postgres with grant option;

-- The console lists a job's runs.
create index job_run_details_jobid on cron.job_run_details (jobid, runid);
