import type { RestCase } from './case.ts'

export const cors: readonly RestCase[] = [
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
      'access-control-allow-headers': 'Authorization, apikey, content-type, Accept, Accept-Language, Content-Language',
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
