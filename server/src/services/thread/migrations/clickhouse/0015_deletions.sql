-- Rows past their lifetime are deleted by the service, which asks what is kept longer, as those of `changes` are. The first
-- statement of each table lets the second run twice.
alter table requests modify ttl toDateTime(time) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table requests remove ttl;
alter table statements modify ttl toDateTime(time) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table statements remove ttl;
alter table function_logs modify ttl toDateTime(time) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table function_logs remove ttl;
alter table frames modify ttl toDateTime(time) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table frames remove ttl;
alter table exchanges modify ttl toDateTime(time) + toIntervalDay(3650) settings materialize_ttl_after_modify = 0;
alter table exchanges remove ttl;
