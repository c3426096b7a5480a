-- `request_id` names what made a change: a request, or the run of a scheduled job (`job:…`), which has no line in `requests`.
-- The job's name as it was then; empty for a request, and for a job without a name.
alter table changes add column if not exists job_name LowCardinality(String) after request_id;
