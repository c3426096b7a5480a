-- Rows past their lifetime are deleted by the service, which asks what is kept longer. The first statement lets the second
-- run twice.
alter table exceptions modify ttl toDateTime(received_at) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table exceptions remove ttl;
