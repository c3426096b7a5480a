-- An empty path finds types in the caller's temporary schema first: their checks would run as the function's owner.
alter function clew.set_consent(text, boolean) set search_path = pg_catalog, pg_temp;
alter function clew_analytics.decide(text[], boolean, timestamptz) set search_path = pg_catalog, pg_temp;
