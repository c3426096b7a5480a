import fc from 'fast-check'

/** A route as the server has registered it. */
export interface Route {
  readonly method: string
  /** With its parameters: `/console/api/sessions/:id`. */
  readonly url: string
}

export interface OddRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: string | Buffer | null
}

/** Text that something may stumble over. */
export const oddText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('', 'x', '1', '-1', '0', 'null', 'true', 'maria@example.com', '+15550100') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '\u0000',
      'a\u0000b',
      '\u0001\u001f\u007f',
      '\ud800',
      '\udc00x',
      '\ufffe',
      'é',
      'e\u0301',
      '\u202e',
      "'",
      '"',
      '\\',
      '%',
      '%%00',
      '..',
      '../../etc/passwd',
      '{}',
      '[]',
      '{',
      '1e400',
      '9223372036854775808',
      '99999999999999999999999',
      'NaN',
      '2026-13-45T99:99:99Z',
      '00000000-0000-0000-0000-000000000000',
      '018f2f5e-0000-7000-8000-000000000000',
      '(select 1)',
      '*',
      '__proto__',
      'constructor',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 3_000 }).map((length) => 'y'.repeat(length)) },
)

/** A text as a part of an address. */
export const percent = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

/** Written into an address: encoded, as it must be, or as bytes that are no UTF-8, or encoded twice. */
const inAddress = fc.oneof(
  { weight: 8, arbitrary: oddText.map(percent) },
  { weight: 1, arbitrary: fc.constantFrom('%ff', '%', '%zz', '%c0%80', '%ed%a0%80', '%2500', '%2f', '%5c', '+', '//') },
)

const parameterNames = [
  ...['select', 'order', 'limit', 'offset', 'id', 'title', 'and', 'or', 'columns', 'on_conflict', 'apikey', 'key', 'q'],
  ...[
    'before',
    'status',
    'method',
    'service',
    'session',
    'live',
    'errors',
    'sort',
    'filter',
    'since',
    'until',
    'table',
  ],
  ...[
    'token',
    'token_hash',
    'type',
    'redirect_to',
    'grant_type',
    'provider',
    'scopes',
    'code',
    'state',
    'error',
    'page',
  ],
  ...['per_page', 'scope', 'client_id', 'redirect_uri', 'response_type', 'code_challenge', 'SAMLRequest', 'RelayState'],
  ...['v', 'ip', 'compression', 'api_key', 'start', 'query', 'body', 'authorization_id', 'domain', 'download'],
]

const operators = ['', 'eq.', 'in.(', 'like.', 'fts.', 'is.', 'cs.{', 'not.and(', 'ov.[', 'match.']

const query = fc
  .array(
    fc
      .tuple(fc.constantFrom(...parameterNames), fc.constantFrom(...operators), inAddress)
      .map(([name, operator, value]) => `${name}=${operator}${value}`),
    { maxLength: 4 },
  )
  .map((parameters) => (parameters.length === 0 ? '' : `?${parameters.join('&')}`))

const fields = [
  ...[
    'email',
    'phone',
    'password',
    'token',
    'type',
    'data',
    'id',
    'title',
    'name',
    'provider',
    'code',
    'refresh_token',
  ],
  ...['options', 'gotrue_meta_security', 'create_user', 'channel', 'factor_type', 'challenge_id', 'factor_id', 'nonce'],
  ...['api_key', 'batch', 'event', 'properties', 'distinct_id', 'timestamp', 'uuid', '$session_id', '$snapshot_data'],
  ...[
    'user_metadata',
    'app_metadata',
    'ban_duration',
    'role',
    'redirect_uris',
    'client_name',
    'metadata_xml',
    'domains',
  ],
  ...['current', 'message', 'signature', 'chain', 'credential', 'code_verifier', 'auth_code', 'emails', 'IDs', 'Read'],
]

const json = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    oddText,
    fc.constantFrom<unknown>(null, true, 0, -0, -1, 1e308, 2 ** 53, 0.1),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom(...fields), tie('value'), { maxKeys: 5 }),
}))

const body = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: json.object.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: json.value.map((value) => JSON.stringify(value)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '{', '[', '"', 'x', '{"a":1}x', '\u0000', '[[[[[[[[[[', '{"__proto__":{}}'),
  },
  { weight: 1, arbitrary: fc.constantFrom('{"email":"\\ud800"}', '{"id":"\\u0000"}', '{"id":1e999}', 'a=1&b=%00') },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
)

const contentTypes = [
  ...[
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
    'text/csv',
    'text/plain',
  ],
  ...['', 'json', ';', 'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=x'],
  ...[
    'application/octet-stream',
    'application/vnd.pgrst.object+json',
    'text/xml',
    'a/b; c="',
    'application/samlmetadata+xml',
  ],
]

const accepts = [
  ...['*/*', 'application/json', 'text/html', 'text/csv', 'application/vnd.pgrst.plan', 'application/openapi+json', ''],
  ...[
    'application/vnd.pgrst.object+json',
    'application/geo+json',
    'image/png',
    ';;',
    'application/vnd.pgrst.array;nulls=stripped',
  ],
]

const preferences = [
  ...['return=representation', 'return=minimal', 'count=exact', 'count=planned', 'tx=rollback', 'handling=strict', 'x'],
  ...[
    'resolution=merge-duplicates',
    'missing=default',
    'max-affected=1',
    'timezone=Mars/Phobos',
    'params=single-object',
  ],
]

/** As a client may write it: no control character but a tab passes Node. */
const headerText = oddText.map((text) =>
  [...Buffer.from(text, 'utf8').toString('latin1')]
    .filter((character) => character === '\t' || (character >= ' ' && character !== '\x7f'))
    .join(''),
)

const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined })

/** @param keys what opens something: tokens and cookies that are good */
const headersWith = (keys: readonly Readonly<Record<string, string>>[]): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      fc.constantFrom(...keys, {}),
      fc.record({
        authorization: optional(
          fc.oneof(
            headerText,
            headerText.map((text) => `Bearer ${text}`),
            fc.constant('Basic eDp5'),
            fc.constant('Bearer a.b.c'),
          ),
        ),
        'content-type': optional(fc.constantFrom(...contentTypes)),
        'content-encoding': optional(fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'x', '')),
        accept: optional(fc.constantFrom(...accepts)),
        prefer: optional(fc.constantFrom(...preferences)),
        range: optional(fc.constantFrom('0-1', '1-0', 'items=0-', 'x', '99999999999999999999-')),
        'accept-profile': optional(headerText),
        'content-profile': optional(headerText),
        cookie: optional(
          fc.oneof(
            headerText,
            headerText.map((text) => `ph_x_posthog=${text}`),
            fc.constant('ph_x_posthog=%7B%22distinct_id%22%3A%22%5Cud800%22%7D'),
          ),
        ),
        origin: optional(fc.constantFrom('null', 'https://app.example', 'x', '')),
        referer: optional(headerText),
        'x-forwarded-for': optional(headerText),
        'x-supabase-api-version': optional(fc.constantFrom('2024-01-01', '2024-13-01', 'x')),
        'x-posthog-session-id': optional(headerText),
        redirect_to: optional(headerText),
      }),
    )
    .map(([key, rest]) => {
      const given = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined)
      return { ...Object.fromEntries(given), ...key }
    })

/** The address of a route with odd things in the places of its parameters. */
function addressOf({ url }: Route, places: readonly string[]): string {
  let at = 0
  const next = (): string => places[at++ % places.length] ?? ''
  return url.replaceAll(/:[A-Za-z_]+(\([^)]*\))?|\*/g, () => next() || 'x')
}

/** Signing out would leave the requests after it without what opens. */
const endsSession = ({ method, url }: Route): boolean =>
  url.endsWith('/logout') || (method === 'DELETE' && /\/sessions?$/.test(url))

function omitKeys(
  headers: Readonly<Record<string, string>>,
  keys: readonly Readonly<Record<string, string>>[],
): Record<string, string> {
  const good = new Set(keys.flatMap((key) => Object.values(key)))
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => !good.has(value)))
}

/** Requests to the routes, each as likely as any other, with anything odd in every place that a client writes. */
export function oddRequests(
  routes: readonly Route[],
  places: readonly string[],
  keys: readonly Readonly<Record<string, string>>[],
): fc.Arbitrary<OddRequest> {
  const place = fc.oneof({ weight: 1, arbitrary: fc.constantFrom(...places) }, { weight: 1, arbitrary: inAddress })
  return fc
    .tuple(fc.constantFrom(...routes), fc.array(place, { minLength: 1, maxLength: 3 }), query, headersWith(keys), body)
    .map(([route, given, search, headers, payload]) => ({
      method: route.method,
      url: addressOf(route, given) + search,
      headers: endsSession(route) ? omitKeys(headers, keys) : headers,
      payload: ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(route.method) ? null : payload,
    }))
}
