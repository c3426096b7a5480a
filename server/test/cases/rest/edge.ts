import type { RestCase } from './case.ts'

const expose =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, x-request-id'

const served: readonly RestCase[] = [
  {
    rule: '1 the root is only read',
    request: 'POST /',
    status: 405,
    answer: { 'proxy-status': 'PostgREST; error=PGRST117' },
  },
  {
    rule: '1 the root has options',
    request: 'OPTIONS /',
    status: 200,
    text: '',
    answer: { allow: 'OPTIONS,GET,HEAD' },
  },
  {
    rule: '1 an unknown method on a relation',
    request: 'TRACE /readers',
    status: 405,
    json: { code: 'PGRST117', details: null, hint: null, message: 'Unsupported HTTP method: TRACE' },
  },
  { rule: '1 a method that the router does not know', request: 'PROPFIND /readers', status: 405 },
  { rule: '1 the same at the root', request: 'PROPFIND /', status: 405 },
  {
    rule: '1 a method that functions do not have',
    request: 'PATCH /rpc/locked',
    status: 405,
    json: { code: 'PGRST101', details: null, hint: null, message: 'Cannot use the PATCH method on RPC' },
  },
  { rule: '1 the same for one that nobody has', request: 'PROPFIND /rpc/locked', status: 405 },
  {
    rule: '1 anything deeper is nothing',
    request: 'GET /readers/1',
    status: 404,
    json: { code: 'PGRST125', details: null, hint: null, message: 'Invalid path specified in request URL' },
  },
  { rule: '1 a slash at the end is deeper, too', request: 'GET /readers/', status: 404 },
  { rule: '1 the missing relation wins over OPTIONS', request: 'OPTIONS /nothing', status: 404 },
  {
    rule: '1 partitions of the path are decoded once',
    request: 'GET /%72eaders?select=id&id=eq.1',
    status: 200,
    json: [{ id: 1 }],
  },

  {
    rule: '11 an exposed schema by its profile',
    request: 'GET /things',
    headers: { 'accept-profile': 'other Schema' },
    status: 200,
    json: [],
    answer: { 'content-profile': 'other Schema' },
  },
  {
    rule: '11 the header of the other methods is ignored',
    request: 'GET /readers?select=id&limit=1',
    headers: { 'content-profile': 'nothing' },
    status: 200,
    json: [{ id: 1 }],
    answer: { 'content-profile': 'public' },
  },
  {
    rule: '11 a schema that is not exposed',
    request: 'GET /things',
    headers: { 'accept-profile': 'auth' },
    status: 406,
    json: {
      code: 'PGRST106',
      details: null,
      hint: 'Only the following schemas are exposed: public, other Schema',
      message: 'Invalid schema: auth',
    },
  },
  {
    rule: '11 writes have the profile of their content',
    request: 'POST /things',
    headers: { 'content-profile': 'other Schema', prefer: 'return=representation' },
    body: { id: 1 },
    status: 201,
    json: [{ id: 1 }],
  },

  {
    rule: '15 Content-Location is sorted, and encoded again',
    request: 'GET /readers?select=id&order=id&id=eq.1',
    status: 200,
    answer: { 'content-location': '/readers?id=eq.1&order=id&select=id', vary: 'Accept, Prefer, Range' },
  },
  {
    rule: '15 errors do not vary, and say their code',
    request: 'GET /nothing',
    status: 404,
    answer: { vary: null, 'proxy-status': 'PostgREST; error=PGRST205', 'content-length': '120' },
  },
  {
    rule: '15 the trace header comes back',
    request: 'GET /readers',
    headers: { 'x-trace': 'abc' },
    status: 200,
    answer: { 'x-trace': 'abc' },
  },
  { rule: '15 and is empty where none was sent', request: 'GET /readers', status: 200, answer: { 'x-trace': '' } },
  {
    rule: '15 of refusals, too',
    request: 'GET /nothing',
    headers: { 'x-trace': 'abc' },
    status: 404,
    answer: { 'x-trace': 'abc' },
  },

  {
    rule: '16 a table with a key',
    request: 'OPTIONS /readers',
    status: 200,
    text: '',
    answer: {
      allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
      'access-control-allow-origin': '*',
      'content-length': '0',
    },
  },
  {
    rule: '16 an updatable view of a table with a key',
    request: 'OPTIONS /readers_names',
    status: 200,
    answer: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
  },
  {
    rule: '16 a view that cannot be written',
    request: 'OPTIONS /counts',
    status: 200,
    answer: { allow: 'OPTIONS,GET,HEAD' },
  },
  { rule: '16 no permission is asked', request: 'OPTIONS /hidden', status: 200 },
  {
    rule: '16 a function that may write',
    request: 'OPTIONS /rpc/before_each',
    status: 200,
    answer: { allow: 'OPTIONS,POST' },
  },
  {
    rule: '16 one that does not',
    request: 'OPTIONS /rpc/document',
    status: 200,
    answer: { allow: 'OPTIONS,GET,HEAD,POST' },
  },
  {
    rule: '16 a preflight',
    request: 'OPTIONS /readers',
    headers: {
      origin: 'http://shop.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'Foo, Bar',
    },
    status: 200,
    text: '',
    answer: {
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': null,
      'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
      'access-control-allow-headers': 'Authorization, Foo, Bar, Accept, Accept-Language, Content-Language',
      'access-control-max-age': '86400',
    },
  },
  {
    rule: '16 another request with an origin',
    request: 'GET /readers',
    headers: { origin: 'http://shop.test' },
    status: 200,
    answer: { 'access-control-allow-origin': '*', 'access-control-expose-headers': expose },
  },
]

const listed = { origin: 'http://shop.test' }

const listedOrigins: readonly RestCase[] = [
  {
    rule: '16 an origin of the list, with credentials',
    request: 'GET /readers',
    headers: listed,
    status: 200,
    answer: { 'access-control-allow-origin': 'http://shop.test', 'access-control-allow-credentials': 'true' },
  },
  {
    rule: '16 its preflight',
    request: 'OPTIONS /readers',
    headers: { ...listed, 'access-control-request-method': 'POST' },
    status: 200,
    answer: { 'access-control-allow-origin': 'http://shop.test', 'access-control-allow-credentials': 'true' },
  },
  {
    rule: '16 an origin that is not on the list is served without CORS headers',
    request: 'GET /readers?select=id&limit=1',
    headers: { origin: 'http://elsewhere.test' },
    status: 200,
    json: [{ id: 1 }],
    answer: { 'access-control-allow-origin': null, 'access-control-expose-headers': null },
  },
]

const raise = (message: string, detail?: string): Pick<RestCase, 'request' | 'body'> => ({
  request: 'POST /rpc/raise',
  body: detail === undefined ? { message } : { message, detail },
})

const state = (code: string, status: number, said: string, rule: string): RestCase => ({
  rule,
  request: 'POST /rpc/raise_state',
  body: { state: code, said },
  status,
  json: { code, details: null, hint: null, message: said },
})

const unreadable = (details: string, hint: string) => ({
  code: 'PGRST121',
  details,
  hint,
  message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
})

const raised: readonly RestCase[] = [
  {
    rule: '14 RAISE PGRST sets the whole answer',
    ...raise('{"code":"X1","message":"no","hint":"ask"}', '{"status":419,"headers":{"X-Why":"so"}}'),
    status: 419,
    json: { code: 'X1', details: null, hint: 'ask', message: 'no' },
    answer: { 'x-why': 'so', 'proxy-status': 'PostgREST; error=X1' },
  },
  {
    rule: '14 RAISE PGRST with a message that is no JSON',
    ...raise('no', '{"status":419,"headers":{}}'),
    status: 500,
    json: unreadable(
      "Invalid JSON value for MESSAGE: 'no'",
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    ),
  },
  {
    rule: '14 RAISE PGRST with a hint that is no text',
    ...raise('{"code":"X1","message":"no","hint":{"ask":"whom"}}', '{"status":419,"headers":{}}'),
    status: 500,
    json: unreadable(
      `Invalid JSON value for MESSAGE: '{"code":"X1","message":"no","hint":{"ask":"whom"}}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    ),
  },
  {
    rule: '14 RAISE PGRST with a detail that has no headers',
    ...raise('{"code":"X1","message":"no"}', '{"status":419}'),
    status: 500,
    json: unreadable(
      `Invalid JSON value for DETAIL: '{"status":419}'`,
      "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
    ),
  },
  state('21000', 400, 'UPDATE requires a WHERE clause', '14 SQLSTATE 21000 of a guard answers 400'),
  state('22023', 401, 'role "x" does not exist', '14 SQLSTATE 22023 of a role that does not exist answers 401'),
  state('42883', 406, 'function xmlagg( is not', '14 SQLSTATE 42883 of xmlagg answers 406'),
  { ...state('42501', 403, 'no', '14 SQLSTATE 42501 of another role answers 403'), as: 'service_role' },
]

const withSettings = (settings: RestCase['settings'] & object, cases: readonly RestCase[]): readonly RestCase[] =>
  cases.map((one) => ({ ...one, settings: { ...settings, ...one.settings } }))

/** The edge: methods and paths that are none, profiles, OPTIONS, CORS, raised answers; on `edge.sql`. */
export const edgeCases: readonly RestCase[] = [
  ...withSettings({ schemas: ['public', 'other Schema'], traceHeader: 'X-Trace' }, served),
  ...withSettings({ corsAllowedOrigins: ['http://shop.test', 'http://other.test'] }, listedOrigins),
  ...raised,
]
