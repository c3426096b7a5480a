import type { RestCase } from './case.ts'

export const resources: readonly RestCase[] = [
  {
    rule: '1 an unknown method on a relation',
    request: 'TRACE /books',
    status: 405,
    json: { code: 'PGRST117', details: null, hint: null, message: 'Unsupported HTTP method: TRACE' },
  },
  {
    rule: '1 partitions are not resources, their parent is',
    request: 'GET /sales_2024',
    status: 404,
    json: {
      code: 'PGRST205',
      details: null,
      hint: null,
      message: "Could not find the table 'public.sales_2024' in the schema cache",
    },
  },
  {
    rule: '1 a partitioned table reads all its partitions',
    request: 'GET /sales?select=id,year&order=id',
    status: 200,
    json: [
      { id: 1, year: 2024 },
      { id: 2, year: 2025 },
      { id: 3, year: 2025 },
    ],
  },
  {
    rule: '1 a materialized view',
    request: 'GET /shelved?order=book_id,name',
    status: 200,
    json: [
      { book_id: 1, name: 'window' },
      { book_id: 2, name: 'back' },
      { book_id: 2, name: 'window' },
    ],
  },
  {
    rule: '1 procedures are not callable',
    request: 'POST /rpc/a_procedure',
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.a_procedure without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: null,
      message: 'Could not find the function public.a_procedure without parameters in the schema cache',
    },
  },
  {
    rule: '1 aggregates are not callable',
    request: 'GET /rpc/list_of',
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.list_of without parameters, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.first_of',
      message: 'Could not find the function public.list_of without parameters in the schema cache',
    },
  },
  {
    rule: '1 window and trigger functions are not callable',
    request: 'GET /rpc/row_number',
    status: 404,
    json: {
      code: 'PGRST202',
      details:
        'Searched for the function public.row_number without parameters, but no matches were found in the schema cache.',
      hint: null,
      message: 'Could not find the function public.row_number without parameters in the schema cache',
    },
  },
  {
    rule: '1 names are exact',
    request: 'GET /Books',
    status: 404,
    json: {
      code: 'PGRST205',
      details: null,
      hint: "Perhaps you meant the table 'public.books'",
      message: "Could not find the table 'public.Books' in the schema cache",
    },
  },
  {
    rule: '1 what is not exposed does not exist',
    request: 'GET /favourites',
    status: 404,
    json: {
      code: 'PGRST205',
      details: null,
      hint: null,
      message: "Could not find the table 'public.favourites' in the schema cache",
    },
  },
  {
    rule: '2 the path is read before the query',
    request: 'GET /a/b?x=bad',
    status: 404,
    json: { code: 'PGRST125', details: null, hint: null, message: 'Invalid path specified in request URL' },
  },
  {
    rule: '2 the query string is read before the relation is looked for',
    request: 'GET /nowhere?id=bad.1',
    status: 400,
    json: {
      code: 'PGRST100',
      details: 'unexpected "b" expecting "not" or operator (eq, gt, ...)',
      hint: null,
      message: '"failed to parse filter (bad.1)" (line 1, column 1)',
    },
  },
  {
    rule: '2 ranges are read before the body',
    request: 'POST /shelves?limit=-1',
    body: '{',
    status: 416,
    json: {
      code: 'PGRST103',
      details: 'Limit should be greater than or equal to zero.',
      hint: null,
      message: 'Requested range not satisfiable',
    },
  },
  {
    rule: '2 the body is read before the relation is looked for',
    request: 'POST /nowhere',
    body: '{',
    status: 400,
    json: { code: 'PGRST102', details: null, hint: null, message: 'Empty or invalid json' },
  },
  {
    rule: '2 the relation is looked for before the columns',
    request: 'POST /nowhere?columns=nope',
    body: { a: 1 },
    status: 404,
    json: {
      code: 'PGRST205',
      details: null,
      hint: null,
      message: "Could not find the table 'public.nowhere' in the schema cache",
    },
  },
  {
    rule: '2 reads negotiate before strict preferences',
    request: 'GET /books',
    headers: { accept: 'x/y', prefer: 'handling=strict, odd' },
    status: 406,
    json: { code: 'PGRST107', details: null, hint: null, message: 'None of these media types are available: x/y' },
  },
  {
    rule: '2 writes check strict preferences before they negotiate',
    request: 'POST /shelves',
    headers: { accept: 'x/y', prefer: 'handling=strict, odd' },
    body: { id: 9, name: 'x' },
    status: 400,
    json: {
      code: 'PGRST122',
      details: 'Invalid preferences: odd',
      hint: null,
      message: 'Invalid preferences given with handling=strict',
    },
  },
]
