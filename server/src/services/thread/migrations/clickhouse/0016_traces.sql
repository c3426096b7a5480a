-- The trace that a request stands in by its `traceparent`, and the span there that made it; empty where it named none. Its own id is
-- a trace's as well: the one of what it leads to.
alter table requests add column if not exists trace_id String after cause_id;
alter table requests add column if not exists parent_span_id String after trace_id;
alter table requests add index if not exists trace_index trace_id type bloom_filter(0.01) granularity 1;
