import type { ClickHouse } from '../server/src/engines/clickhouse/index.ts'

/** How much of everything there is behind one session, on average, as a shop's visitors leave it. */
const eventsPerSession = 20
const messagesPerRecording = 6
const requestsPerSession = 8
/** Requests that only read are kept for as many days, by default. */
const readRetentionDays = 7
const changesPerRow = 10
/** Rows made by one statement, and in one block: what the engine's memory holds. Fewer parts are merged sooner. */
const rowsPerInsert = 100_000
const oneBlock = `settings max_block_size = ${rowsPerInsert}, min_insert_block_size_rows = ${rowsPerInsert}, min_insert_block_size_bytes = 0, max_execution_time = 0`

/** What a data set is made of; the sessions began one after another, evenly over the days. */
export interface Shape {
  readonly sessions: number
  readonly days: number
  /** ms since 1970 at which the last session began. */
  readonly endMs: number
}

export const eventsOf = ({ sessions }: Shape): number => sessions * eventsPerSession

/** What the questions are asked about. */
export interface Known {
  readonly session: string
  readonly distinctId: string
  readonly rowKey: string
}

const table = 'bench_items'

/** The expressions of a session by its number `i`. */
const session = ({ sessions, days, endMs }: Shape) => `
  toInt64(${endMs} - intDiv((${sessions} - 1 - i) * ${days * 86_400_000}, ${sessions})) as start_ms,
  cityHash64(i) as noise,
  ${idAt('start_ms', 'noise')} as session_id,
  concat('visitor-', toString(noise % ${Math.ceil(sessions / 3)})) as distinct_id,
  if(noise % 3 = 0, ${idAt('start_ms', 'cityHash64(noise)')}, '') as user_id`

/** A text as a UUID of version 7 of that millisecond. */
const idAt = (ms: string, noise: string): string =>
  `concat(lower(substring(hex(${ms}), 1, 8)), '-', lower(substring(hex(${ms}), 9, 4)), '-7', substring(lower(hex(${noise})), 1, 3), '-8',
     substring(lower(leftPad(hex(${noise}), 16, '0')), 4, 3), '-', substring(lower(leftPad(hex(cityHash64(${noise})), 16, '0')), 1, 12))`

const browser = `['Chrome', 'Safari', 'Firefox', 'Edge'][1 + noise % 4]`
const os = `['Mac OS X', 'Windows', 'iOS', 'Android'][1 + intDiv(noise, 4) % 4]`
const agent = `concat('Mozilla/5.0 (', ${os}, ') AppleWebKit/537.36 (KHTML, like Gecko) ', ${browser}, '/140.0')`
const url = `concat('https://shop.example/items/', toString(cityHash64(n) % 5000), '?ref=mail')`
/** The page on which every third heat map is. */
export const homePage = 'https://shop.example/'
const positions = `concat('{"', if(n % 3 = 0, '${homePage}', ${url}), '":[', arrayStringConcat(arrayMap(
      j -> concat('{"x":', toString(cityHash64(n, j) % 1512), ',"y":', toString(cityHash64(j, n) % 4000), ',"target_fixed":false,"type":"',
        if(j = 0, 'click', 'mousemove'), '"}'), range(8)), ','), ']}')`
const vitals = `concat(',"$web_vitals_LCP_value":', toString(600 + cityHash64(n) % 4000), ',"$web_vitals_FCP_value":',
      toString(300 + cityHash64(n) % 2000), ',"$web_vitals_INP_value":', toString(cityHash64(n) % 600))`
const at = (ms: string): string => `fromUnixTimestamp64Milli(${ms}, 'UTC')`
const writes = 'n % 8 = 0'

const events = (shape: Shape, numbers: string): string => `
  insert into events (uuid, event, distinct_id, session_id, window_id, timestamp, client_time, sent_at, received_at, current_url,
    pathname, host, browser, os, device_type, lib, elements_chain, person_profile, properties)
  with number as n, intDiv(n, ${eventsPerSession}) as i, n % ${eventsPerSession} as k, ${session(shape)},
    toInt64(start_ms + k * 25000 + cityHash64(n) % 9000) as ms,
    multiIf(k % 5 = 0, '$pageview', k % 5 in (1, 2), '$autocapture', k = 19 and noise % 20 = 0, '$exception', k = 19, '$pageleave',
      k = 8, '$$heatmap', k = 9, '$web_vitals', 'item viewed') as event
  select generateUUIDv4(), event, distinct_id, session_id, session_id, ${at('ms')}, ${at('ms')}, ${at('ms + 500')}, ${at('ms + 900')},
    ${url}, path(${url}), 'shop.example', ${browser}, ${os}, 'Desktop', 'web',
    if(event = '$autocapture', 'button.buy:text="Buy"nth-child="2"nth-of-type="1";div.card:nth-child="7"nth-of-type="7";main;body', ''), true,
    concat('{"token":"phc_bench","distinct_id":"', distinct_id, '","$session_id":"', session_id, '","$window_id":"', session_id,
      '","$current_url":"', ${url}, '","$browser":"', ${browser}, '","$os":"', ${os}, '","$raw_user_agent":"', ${agent},
      '","$screen_width":1728,"$screen_height":1117,"$viewport_width":1512,"$lib":"web","$lib_version":"1.434.18","$event_type":"',
      if(event = '$autocapture', 'click', ''), '","$insert_id":"', toString(cityHash64(n)), '","price_cents":', toString(n % 9000),
      if(event = '$$heatmap', concat(',"$viewport_height":900,"$heatmap_data":', ${positions}), ''),
      if(event = '$web_vitals', ${vitals}, ''),
      if(event = '$exception', ',"$exception_list":[{"type":"TypeError","value":"x is not a function"}]', ''),
      if(noise % 20 = 0, ',"$geoip_country_code":"PT"', ',"$geoip_country_code":"DE"'),
      ',"title":"An item that was looked at","$process_person_profile":true}')
  ${numbers}`

/** Every second session is recorded. */
const snapshots = (shape: Shape, numbers: string): string => `
  insert into snapshots (session_id, window_id, uuid, distinct_id, first_ts, last_ts, sent_at, received_at, events, bytes, clicks, keypresses,
    console_errors, errors, active_ms, active_from, active_to, urls, has_full_snapshot, user_agent, browser, os, device, data)
  with number as n, intDiv(n, ${messagesPerRecording}) * 2 as i, n % ${messagesPerRecording} as k, ${session(shape)},
    toInt64(start_ms + k * 80000) as ms
  select session_id, session_id, generateUUIDv4(), distinct_id, ms, ms + 70000, ms + 70100, ms + 70300, 200, 60000, 5, 12,
    k = 5 and noise % 30 = 0, if(k = 5 and noise % 30 = 0, [(ms + 3000, 'x is not a function')], []), 30000, ms + 1000, ms + 60000,
    [${url}], k = 0, ${agent}, ${browser}, ${os}, 'Desktop',
    concat('[{"type":4,"data":{"href":"https://shop.example/","width":1512,"height":900},"timestamp":', toString(ms),
      '},{"type":3,"data":{"source":2,"type":2,"id":7,"x":10,"y":20},"timestamp":', toString(ms + 1500), '}]')
  ${numbers}`

const requestsOf = (shape: Shape, numbers: string): string => `
  with number as n, intDiv(n, ${requestsPerSession}) as i, n % ${requestsPerSession} as k, ${session(shape)},
    toInt64(start_ms + k * 55000 + cityHash64(n) % 9000) as ms, ${idAt('ms', 'cityHash64(n)')} as id,
    ${at('ms')} as time,
    if(cityHash64(n) % 50 = 0, 404, if(${writes}, 201, 200)) as status
  select n, k, id, time, status, noise, session_id, distinct_id, user_id
  ${numbers}
  where (${writes} or ms > ${shape.endMs - readRetentionDays * 86_400_000})`

const requests = (shape: Shape, numbers: string): string => `
  insert into requests (id, time, duration_ms, database_ms, service, method, path, query, status, error_code, rows, role, user_id,
    auth_session_id, session_id, window_id, distinct_id, channel, exact, request_bytes, response_bytes, remote_address, user_agent,
    statements, writes, cause_id)
  select id, time, 5 + cityHash64(n) % 40, 3, if(k = 7, 'auth', 'rest'), if(${writes}, 'POST', 'GET'),
    if(k = 7, '/auth/v1/user', '/rest/v1/${table}'), concat('?id=eq.', toString(cityHash64(n) % 90000)), status, '', 1, 'authenticated',
    user_id, user_id, session_id, session_id, distinct_id, 'header', true, 120, 900, '127.0.0.1', ${agent}, 1, ${writes}, ''
  from (${requestsOf(shape, numbers)})`

const statements = (shape: Shape, numbers: string): string => `
  insert into statements (request_id, ordinal, time, text, parameter_types, rows, duration_ms, role, error_code, writes)
  select id, 0, time, 'select id, name, price from ${table} where id = $1', ['bigint'], 1, 2.5, 'authenticated', '', ${writes}
  from (${requestsOf(shape, numbers)})`

/** A change for each request that writes. */
const changes = (shape: Shape, numbers: string): string => `
  insert into changes (commit_time, lsn, seq, xid, request_id, job_name, schema_name, table_name, operation, key, previous_key, old, new, columns,
    relation)
  select time, n, 0, n % 4000000000, id, '', 'public', '${table}', 'update',
    concat('{"id":', toString(cityHash64(n) % ${Math.ceil(shape.sessions / changesPerRow)}), '}'), '',
    concat('{"id":1,"name":"item","quantity":', toString(n % 100), '}'), concat('{"id":1,"name":"item","quantity":', toString(n % 99), '}'),
    ['quantity'], 0
  from (${requestsOf(shape, numbers)})
  where ${writes}`

/** Fills the tables that the lists read; what an interrupted run has made is not made again. */
export async function fillLists(
  clickhouse: Pick<ClickHouse, 'command' | 'query'>,
  shape: Shape,
  tell: (line: string) => void,
): Promise<void> {
  const run = (text: string) => clickhouse.command({ text, parameters: {} })
  await run('create table if not exists bench_filled (name String, rows UInt64) engine = MergeTree order by name')
  const filled = new Map(
    (
      await clickhouse.query<{ name: string; rows: string }>({
        text: 'select name, max(rows) as rows from bench_filled group by name',
        parameters: {},
      })
    ).map(({ name, rows }) => [name, Number(rows)]),
  )
  const parts = [
    { name: 'events', rows: eventsOf(shape), insert: events },
    { name: 'snapshots', rows: Math.floor(shape.sessions / 2) * messagesPerRecording, insert: snapshots },
    ...[
      { name: 'requests', insert: requests },
      { name: 'statements', insert: statements },
      { name: 'changes', insert: changes },
    ].map((part) => ({ ...part, rows: shape.sessions * requestsPerSession })),
  ]
  for (const { name, rows, insert } of parts) {
    const startedAt = performance.now()
    for (let from = filled.get(name) ?? 0; from < rows; from += rowsPerInsert) {
      const to = Math.min(rows, from + rowsPerInsert)
      await run(`${insert(shape, `from numbers(${from}, ${to - from})`)} ${oneBlock}`)
      await run(`insert into bench_filled values ('${name}', ${to})`)
    }
    tell(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  }
}

/** A session from the middle of it all, its browser, and a row that was changed. */
export async function knownOf(clickhouse: Pick<ClickHouse, 'query'>): Promise<Known> {
  const [request] = await clickhouse.query<{ session_id: string; distinct_id: string }>({
    text: 'select session_id, distinct_id from requests where writes order by time limit 1 offset (select intDiv(count(), 20) from requests)',
    parameters: {},
  })
  const [change] = await clickhouse.query<{ key: string }>({
    text: 'select key from changes limit 1 offset (select intDiv(count(), 2) from changes)',
    parameters: {},
  })
  return { session: request?.session_id ?? '', distinctId: request?.distinct_id ?? '', rowKey: change?.key ?? '' }
}
