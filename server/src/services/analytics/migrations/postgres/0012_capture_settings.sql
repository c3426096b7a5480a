-- What owners say in the console is of all that browsers send, recordings among it.
drop trigger recording_settings_announce on clew_analytics.recording_settings;
drop function clew_analytics.announce_recording_settings();

alter table clew_analytics.recording_settings rename to capture_settings;
alter index clew_analytics.recording_settings_pkey rename to capture_settings_pkey;

create function clew_analytics.announce_capture_settings() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  notify clew_capture_settings;
  return null;
end
$$;

create trigger capture_settings_announce
after insert or update or delete or truncate on clew_analytics.capture_settings
for each statement execute function clew_analytics.announce_capture_settings();

revoke all on function clew_analytics.announce_capture_settings() from public;
