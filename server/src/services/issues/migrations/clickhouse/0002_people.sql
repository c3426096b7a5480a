-- The exceptions of one person are found without reading all; parts that are there get it as they are merged.
alter table exceptions add index if not exists distinct_index distinct_id type bloom_filter(0.01) granularity 1;
alter table exceptions add index if not exists user_index user_id type bloom_filter(0.01) granularity 1;
