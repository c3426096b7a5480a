-- Web vitals of the properties of `$web_vitals`, of which an event has kilobytes: not a number where an event has none, and -1
-- where it says something that is no number, so that this can be counted. Of rows that were stored before, the columns are
-- read of their properties, until a merge writes them anew.
alter table events add column if not exists vital_lcp Float64
  materialized multiIf(
    event != '$web_vitals' or position(properties, '"$web_vitals_LCP_value"') = 0, nan,
    JSONType(properties, '$web_vitals_LCP_value') in ('Int64', 'UInt64', 'Double'),
    JSONExtractFloat(properties, '$web_vitals_LCP_value'),
    -1
  ) codec(ZSTD(1));
alter table events add column if not exists vital_inp Float64
  materialized multiIf(
    event != '$web_vitals' or position(properties, '"$web_vitals_INP_value"') = 0, nan,
    JSONType(properties, '$web_vitals_INP_value') in ('Int64', 'UInt64', 'Double'),
    JSONExtractFloat(properties, '$web_vitals_INP_value'),
    -1
  ) codec(ZSTD(1));
alter table events add column if not exists vital_cls Float64
  materialized multiIf(
    event != '$web_vitals' or position(properties, '"$web_vitals_CLS_value"') = 0, nan,
    JSONType(properties, '$web_vitals_CLS_value') in ('Int64', 'UInt64', 'Double'),
    JSONExtractFloat(properties, '$web_vitals_CLS_value'),
    -1
  ) codec(ZSTD(1));
alter table events add column if not exists vital_fcp Float64
  materialized multiIf(
    event != '$web_vitals' or position(properties, '"$web_vitals_FCP_value"') = 0, nan,
    JSONType(properties, '$web_vitals_FCP_value') in ('Int64', 'UInt64', 'Double'),
    JSONExtractFloat(properties, '$web_vitals_FCP_value'),
    -1
  ) codec(ZSTD(1));
-- The page that was measured, which the visitor may have left when it is told: the path of its address, and a fragment that is a
-- route (`#/orders`).
alter table events add column if not exists vitals_path LowCardinality(String)
  materialized if(event = '$web_vitals', concat(path(current_url), extract(current_url, '#[/!][^?#]*')), '');
