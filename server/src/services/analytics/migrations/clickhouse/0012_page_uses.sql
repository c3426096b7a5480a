-- What visitors did on pages, a row for each page and kind of what one event tells of it: heat maps read a page of some weeks as a
-- range, without the events, and events that tell nothing of it are not slower to store. A page is its address without query and
-- fragment; a fragment that is a route (`#/orders`) stays. The week comes first: what is merged of earlier weeks is read without looking
-- for copies.
create table if not exists page_uses (
  page String codec(ZSTD(1)),
  what LowCardinality(String),
  kind LowCardinality(String),
  uuid UUID,
  part UInt16,
  distinct_id String codec(ZSTD(1)),
  session_id String codec(ZSTD(1)),
  window_id String codec(ZSTD(1)),
  timestamp DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  client_time DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  received_at DateTime64(3, 'UTC') codec(Delta, ZSTD(1)),
  viewport_width UInt16,
  viewport_height UInt16,
  is_current Bool,
  points Array(Tuple(x Float32, y Float32, is_fixed Bool)) codec(ZSTD(1)),
  depth Float64 codec(ZSTD(1)),
  bottom Float64 codec(ZSTD(1)),
  elements_chain String codec(ZSTD(1)),
  index time_index timestamp type minmax granularity 1
)
engine = ReplacingMergeTree(received_at)
order by (toMonday(client_time), page, what, kind, toDate(client_time), cityHash64(distinct_id), uuid, part)
settings index_granularity = 1024;

create materialized view if not exists page_uses_of_events to page_uses as
select use.page as page, use.what as what, use.kind as kind, uuid, use.part as part, distinct_id, session_id, window_id,
  timestamp, client_time, received_at,
  toUInt16(least(JSONExtractUInt(properties, '$viewport_width'), 65535)) as viewport_width,
  toUInt16(least(JSONExtractUInt(properties, '$viewport_height'), 65535)) as viewport_height,
  use.is_current as is_current, use.points as points, use.depth as depth, use.bottom as bottom,
  if(use.what = 'element', elements_chain, '') as elements_chain
from (
  select uuid, distinct_id, session_id, window_id, timestamp, client_time, received_at, elements_chain, properties,
    arrayJoin(cast(multiIf(
      -- Positions on each page, by kind. The visitor may be on another page when they are told.
      event = '$$heatmap',
      arrayFilter(each -> notEmpty(each.6), arrayFlatten(arrayMap(
        (heat, part) -> arrayMap(
          kind -> (
            heat.1, 'position', kind, toUInt16(least(part, 65535)),
            heat.1 = replaceRegexpOne(replaceRegexpAll(current_url, '[?][^#]*', ''), '#([^/!].*)?$', ''),
            arrayMap(point -> (point.x, point.y, point.target_fixed), arrayFilter(point -> point.type = kind, heat.2)), 0., 0.
          ),
          ['click', 'rageclick', 'deadclick', 'mousemove']
        ),
        arrayMap(
          pair -> (
            replaceRegexpOne(replaceRegexpAll(pair.1, '[?][^#]*', ''), '#([^/!].*)?$', ''),
            JSONExtract(pair.2, 'Array(Tuple(x Float32, y Float32, target_fixed Bool, type LowCardinality(String)))')
          ),
          JSONExtractKeysAndValuesRaw(properties, '$heatmap_data') as pairs
        ),
        arrayEnumerate(pairs)
      ))),
      -- The page that was left, how much of it was seen (0 to 1), and the lowest pixel of it that was. Its host is that of the page
      -- that says so.
      event in ('$pageview', '$pageleave') and position(properties, '"$prev_pageview_max_content_percentage"') > 0,
      [(
        concat(extract(current_url, '^[a-zA-Z][a-zA-Z0-9+.-]*://[^/?#]*'), JSONExtractString(properties, '$prev_pageview_pathname')),
        'scroll', event, 0, false, [], JSONExtractFloat(properties, '$prev_pageview_max_content_percentage'),
        JSONExtractFloat(properties, '$prev_pageview_max_content')
      )],
      -- An element that was clicked.
      elements_chain != '' and (event in ('$rageclick', '$dead_click') or event = '$autocapture' and event_type = 'click'),
      [(
        replaceRegexpOne(replaceRegexpAll(current_url, '[?][^#]*', ''), '#([^/!].*)?$', ''), 'element',
        transform(event, ['$rageclick', '$dead_click'], ['rageclick', 'deadclick'], 'click'), 0, true, [], 0., 0.
      )],
      []
    ), 'Array(Tuple(
      page String, what LowCardinality(String), kind LowCardinality(String), part UInt16, is_current Bool,
      points Array(Tuple(x Float32, y Float32, is_fixed Bool)), depth Float64, bottom Float64
    ))')) as use
  from events
  where event in ('$$heatmap', '$pageview', '$pageleave', '$autocapture', '$rageclick', '$dead_click')
)
where page != '';

-- Of events that were stored before, some quarters of days at a time, as they lie in the table; what comes between is there once.
fill page_uses from page_uses_of_events by toUInt32(toDate(client_time)) * 4 + bitShiftRight(cityHash64(distinct_id), 62);

alter table events
  drop column if exists heat_pages,
  drop column if exists heat_points,
  drop column if exists viewport_width,
  drop column if exists viewport_height,
  drop column if exists scroll_depth,
  drop column if exists scroll_bottom,
  drop column if exists scroll_page;
