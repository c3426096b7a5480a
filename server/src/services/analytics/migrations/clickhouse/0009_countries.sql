-- The newest sessions from a country are found by the hour, without those that lie behind them. A copy of an event changes
-- nothing of what is proposed.
alter table events add projection if not exists countries (
  select country_code, toStartOfHour(timestamp), session_id, count()
  group by country_code, toStartOfHour(timestamp), session_id
);
alter table events materialize projection countries settings mutations_sync = 0;
