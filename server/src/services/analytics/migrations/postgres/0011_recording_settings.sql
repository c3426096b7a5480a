-- What owners say in the console about recordings; no row: the setting is what the files and the environment say.
create table clew_analytics.recording_settings (
  -- As clew.toml spells it.
  name text primary key,
  -- Not jsonb, which has no NUL in its texts.
  value json not null,
  changed_at timestamptz not null default now(),
  changed_by text not null
);

-- Every process has them in its memory, and reads them again when they have changed, however that was.
create function clew_analytics.announce_recording_settings() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  notify clew_recording_settings;
  return null;
end
$$;

create trigger recording_settings_announce
after insert or update or delete or truncate on clew_analytics.recording_settings
for each statement execute function clew_analytics.announce_recording_settings();

revoke all on clew_analytics.recording_settings from public;
revoke all on function clew_analytics.announce_recording_settings() from public;
