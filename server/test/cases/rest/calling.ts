import type { RestCase } from './case.ts'

const rome = [
  { id: 1, name: 'Ursula', born: 1929 },
  { id: 2, name: 'Italo', born: 1923 },
]

export const calling: readonly RestCase[] = [
  {
    rule: '9 POST with named arguments',
    request: 'POST /rpc/add',
    body: { a: 1, b: 2 },
    status: 200,
    text: '3',
    answer: { 'content-range': '0-0/*', 'content-type': 'application/json; charset=utf-8' },
  },
  { rule: '9 defaults', request: 'POST /rpc/add', body: { a: 1 }, status: 200, text: '2' },
  { rule: '9 GET', request: 'GET /rpc/add?a=1&b=5', status: 200, text: '6' },
  { rule: '9 HEAD', request: 'HEAD /rpc/add?a=1', status: 200, text: '', answer: { 'content-length': null } },
  {
    rule: '9 void',
    request: 'POST /rpc/nothing',
    status: 204,
    text: '',
    answer: { 'content-type': null, 'content-length': null, 'content-range': '0-0/*' },
  },
  { rule: '9 a row', request: 'POST /rpc/one_author', body: { author: 1 }, status: 200, json: rome[0] },
  {
    rule: '9 rows, filtered and shaped',
    request: 'GET /rpc/authors_after?year=1921&select=name,books(id)&name=like.I*',
    status: 200,
    json: [{ name: 'Italo', books: [{ id: 2 }, { id: 3 }] }],
  },
  {
    rule: '9 rows with order and limit',
    request: 'POST /rpc/authors_after?order=id.desc&limit=1&select=id',
    headers: { prefer: 'count=exact' },
    body: { year: 1900 },
    status: 206,
    json: [{ id: 3 }],
    answer: { 'content-range': '0-0/3' },
  },
  {
    rule: '19.23 what orders need not be selected',
    request: 'GET /rpc/authors_after?year=1900&select=id&order=born&born=lt.1929',
    status: 200,
    json: [{ id: 3 }, { id: 2 }],
  },
  { rule: '9 a set of values', request: 'GET /rpc/numbers?upto=3', status: 200, json: [1, 2, 3] },
  { rule: '9 OUT parameters', request: 'GET /rpc/pair', status: 200, json: { first: 1, second: 'two' } },
  { rule: '9 variadic by repetition', request: 'GET /rpc/joined?words=a&words=b', status: 200, text: '"a+b"' },
  { rule: '9 variadic by array', request: 'POST /rpc/joined', body: { words: ['a', 'b'] }, status: 200, text: '"a+b"' },
  { rule: '9 the whole body', request: 'POST /rpc/whole', body: { x: [1] }, status: 200, json: { x: [1] } },
  {
    rule: '9 a form',
    request: 'POST /rpc/add',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=4&b=4',
    status: 200,
    text: '8',
  },
  {
    rule: '9 a singular result',
    request: 'POST /rpc/authors_after',
    headers: { accept: 'application/vnd.pgrst.object+json' },
    body: { year: 1925 },
    status: 200,
    json: rome[0],
  },
  {
    rule: '9 none',
    request: 'POST /rpc/ad',
    body: { a: 1 },
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.ad with parameter a or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: null,
      message: 'Could not find the function public.ad(a) in the schema cache',
    },
  },
  {
    rule: '9 none, with a hint of a name',
    request: 'GET /rpc/numberss?upto=1',
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.numberss with parameter upto, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.numbers',
      message: 'Could not find the function public.numberss(upto) in the schema cache',
    },
  },
  {
    rule: '9 none, with a hint of parameters',
    request: 'GET /rpc/add?aa=1&b=2',
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.add with parameters aa, b, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add(a, b)',
      message: 'Could not find the function public.add(aa, b) in the schema cache',
    },
  },
  {
    rule: '9 several',
    request: 'POST /rpc/over',
    body: { a: 1 },
    status: 300,
    json: {
      code: 'PGRST203',
      details: null,
      hint: 'Try renaming the parameters or the function itself in the database so function overloading can be resolved',
      message:
        'Could not choose the best candidate function between: public.over(a => integer), public.over(a => text)',
    },
  },
  {
    rule: '9 GET is read only',
    request: 'GET /rpc/rename_author?author=1&to_name=x',
    status: 405,
    json: { code: '25006', details: null, hint: null, message: 'cannot execute UPDATE in a read-only transaction' },
  },
  {
    rule: '9 POST of a volatile function writes',
    request: 'POST /rpc/rename_author?select=name',
    body: { author: 1, to_name: 'U' },
    status: 200,
    json: [{ name: 'U' }],
  },
  {
    rule: '1 PATCH on RPC',
    request: 'PATCH /rpc/add',
    body: {},
    status: 405,
    json: { code: 'PGRST101', details: null, hint: null, message: 'Cannot use the PATCH method on RPC' },
  },
  {
    rule: '13 request settings',
    request: 'GET /rpc/who',
    headers: { 'x-odd': 'o', cookie: 'flavour=oat; b=c' },
    status: 200,
    json: {
      role: 'anon',
      method: 'GET',
      path: '/rpc/who',
      header: 'o',
      cookie: 'oat',
      claims: 'anon',
      search_path: '"public", "extensions"',
    },
  },
  {
    rule: '13 response settings',
    request: 'POST /rpc/headers_set',
    status: 202,
    text: '"ok"',
    answer: { 'x-twice': 'a, b' },
  },
  {
    rule: '14 PTnnn',
    request: 'POST /rpc/teapot',
    status: 418,
    json: { code: 'PT418', details: 'short', hint: 'stout', message: 'I am a teapot' },
  },
  {
    rule: '14 RAISE SQLSTATE PGRST',
    request: 'POST /rpc/full_answer',
    status: 419,
    json: { code: 'X1', details: 'd', hint: 'h', message: 'not today' },
    answer: { 'x-why': 'because' },
  },
  {
    rule: '16 OPTIONS on a table',
    request: 'OPTIONS /books',
    status: 200,
    text: '',
    answer: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE', 'access-control-allow-origin': '*' },
  },
  {
    rule: '16 OPTIONS on a view',
    request: 'OPTIONS /priced_books',
    status: 200,
    answer: { allow: 'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE' },
  },
  { rule: '16 OPTIONS on a function', request: 'OPTIONS /rpc/nothing', status: 200, answer: { allow: 'OPTIONS,POST' } },
  { rule: '16 OPTIONS on what is unknown', request: 'OPTIONS /nothing_here', status: 404 },
  {
    rule: '16 a preflight',
    request: 'OPTIONS /books',
    headers: {
      origin: 'http://a.test',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey, content-type',
    },
    status: 200,
    answer: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
      'access-control-allow-headers':
        'Authorization, apikey, content-type, X-POSTHOG-SESSION-ID, X-POSTHOG-WINDOW-ID, X-POSTHOG-DISTINCT-ID, traceparent, tracestate, baggage, Accept, Accept-Language, Content-Language',
      'access-control-max-age': '86400',
    },
  },
  {
    rule: '16 another request with an origin',
    request: 'GET /shelves?limit=1',
    headers: { origin: 'http://a.test' },
    status: 200,
    answer: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, x-request-id',
    },
  },
]
