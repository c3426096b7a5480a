-- What heat maps read of events, without their properties, of which an event has kilobytes. A page is its address without
-- query and fragment; a fragment that is a route (`#/orders`) stays. Of rows that were stored before, the columns are read of
-- their properties, until a merge writes them anew.
alter table events add column if not exists heat_pages Array(String)
  materialized if(
    event = '$$heatmap',
    arrayMap(
      pair -> replaceRegexpOne(replaceRegexpAll(pair.1, '[?][^#]*', ''), '#([^/!].*)?$', ''),
      JSONExtractKeysAndValuesRaw(properties, '$heatmap_data')
    ),
    []
  ) codec(ZSTD(1));
-- Of each page the positions on it.
alter table events add column if not exists heat_points
  Array(Array(Tuple(x Float32, y Float32, target_fixed Bool, type LowCardinality(String))))
  materialized if(
    event = '$$heatmap',
    arrayMap(
      pair -> JSONExtract(pair.2, 'Array(Tuple(x Float32, y Float32, target_fixed Bool, type LowCardinality(String)))'),
      JSONExtractKeysAndValuesRaw(properties, '$heatmap_data')
    ),
    []
  ) codec(ZSTD(1));
alter table events add column if not exists viewport_width UInt16
  materialized if(
    event in ('$$heatmap', '$pageview', '$pageleave', '$autocapture', '$rageclick', '$dead_click'),
    toUInt16(least(JSONExtractUInt(properties, '$viewport_width'), 65535)),
    0
  );
alter table events add column if not exists viewport_height UInt16
  materialized if(
    event in ('$$heatmap', '$pageview', '$pageleave'),
    toUInt16(least(JSONExtractUInt(properties, '$viewport_height'), 65535)),
    0
  );
-- The page that was left, how much of it was seen (0 to 1), and the lowest pixel of it that was. Its host is that of the
-- page that says so.
alter table events add column if not exists scroll_page String
  materialized if(
    event in ('$pageview', '$pageleave') and position(properties, '"$prev_pageview_max_content_percentage"') > 0,
    concat(
      extract(current_url, '^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*'),
      JSONExtractString(properties, '$prev_pageview_pathname')
    ),
    ''
  ) codec(ZSTD(1));
alter table events add column if not exists scroll_depth Float64
  materialized if(scroll_page = '', 0, JSONExtractFloat(properties, '$prev_pageview_max_content_percentage'));
alter table events add column if not exists scroll_bottom Float64
  materialized if(scroll_page = '', 0, JSONExtractFloat(properties, '$prev_pageview_max_content'));
