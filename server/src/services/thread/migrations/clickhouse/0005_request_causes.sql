-- The call of a function for which a request was made; empty for any other.
alter table requests add column if not exists cause_id String after writes;
