import type { RestCase } from './case.ts'

const one = 'authenticated_00000000-0000-0000-0000-000000000001'

export const roles: readonly RestCase[] = [
  {
    rule: '14 permission for the anonymous role',
    request: 'GET /secrets',
    status: 401,
    json: { code: '42501', details: null, hint: null, message: 'permission denied for table secrets' },
    answer: { 'www-authenticate': 'Bearer' },
  },
  { rule: '14 permission for others', request: 'GET /secrets', as: one, status: 403 },
  {
    rule: '13 a policy refuses a row',
    request: 'POST /notes',
    as: one,
    body: { owner: '00000000-0000-0000-0000-000000000002', body: 'x' },
    status: 403,
    json: {
      code: '42501',
      details: null,
      hint: null,
      message: 'new row violates row-level security policy for table "notes"',
    },
  },
  {
    rule: '13 claims reach defaults and policies',
    request: 'POST /notes?select=owner',
    as: one,
    headers: { prefer: 'return=representation' },
    body: { body: 'mine' },
    status: 201,
    json: [{ owner: '00000000-0000-0000-0000-000000000001' }],
  },
  {
    rule: '13 an expired token',
    request: 'GET /books',
    as: 'expired',
    status: 401,
    json: { code: 'PGRST303', details: null, hint: null, message: 'JWT expired' },
    answer: { 'www-authenticate': 'Bearer error="invalid_token", error_description="JWT expired"' },
  },
  {
    rule: '13 a token in pieces',
    request: 'GET /books',
    as: 'broken',
    status: 401,
    json: { code: 'PGRST301', details: null, hint: null, message: 'Expected 3 parts in JWT; got 2' },
  },
  {
    rule: '19.16 a role that does not exist',
    request: 'GET /books',
    as: 'ghost',
    status: 401,
    json: { code: '22023', details: null, hint: null, message: 'role "ghost" does not exist' },
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
      search_path: '"public", "public", "extensions"',
    },
  },
  {
    rule: '13 response settings',
    request: 'POST /rpc/headers_set',
    status: 202,
    text: '"ok"',
    answer: { 'x-twice': 'a, b' },
  },
]
