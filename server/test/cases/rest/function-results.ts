import type { RestCase } from './case.ts'

const rome = [
  { id: 1, name: 'Ursula', born: 1929 },
  { id: 2, name: 'Italo', born: 1923 },
]

export const functionResults: readonly RestCase[] = [
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
  {
    rule: '9 a singular result',
    request: 'POST /rpc/authors_after',
    headers: { accept: 'application/vnd.pgrst.object+json' },
    body: { year: 1925 },
    status: 200,
    json: rome[0],
  },
  {
    rule: '9 rows of OUT columns are filtered',
    request: 'GET /rpc/table_of?upto=3&n=gt.1&select=square&order=n.desc',
    status: 200,
    json: [{ square: 9 }, { square: 4 }],
  },
  {
    rule: '9 INOUT parameters',
    request: 'POST /rpc/inout_of',
    body: { a: 1, b: 'x' },
    status: 200,
    json: { a: 2, b: 'x!' },
  },
  { rule: '9 a record', request: 'GET /rpc/a_record', status: 200, json: { a: 1, b: 'b' } },
  {
    rule: '9 a row that is null',
    request: 'GET /rpc/no_author',
    status: 200,
    json: { id: null, name: null, born: null },
  },
  { rule: '9 a value that is null', request: 'GET /rpc/no_value', status: 200, json: null },
  {
    rule: '9 the first of an array of objects',
    request: 'POST /rpc/add',
    body: [
      { a: 1, b: 1 },
      { a: 5, b: 5 },
    ],
    status: 200,
    json: 2,
  },
  {
    rule: '9 embeds of a function’s rows',
    request: 'GET /rpc/authors_after?year=1921&select=name,books(id)&books.order=id',
    status: 200,
    json: [
      { name: 'Ursula', books: [{ id: 1 }] },
      { name: 'Italo', books: [{ id: 2 }, { id: 3 }] },
    ],
  },
  {
    rule: '9 inner embeds of a function’s rows',
    request: 'GET /rpc/authors_after?year=1900&select=name,books!inner(id)&books.id=eq.1',
    status: 200,
    json: [{ name: 'Ursula', books: [{ id: 1 }] }],
  },
  {
    rule: '9 one row with embeds',
    request: 'GET /rpc/one_author?author=2&select=name,books(id)&books.order=id',
    status: 200,
    json: { name: 'Italo', books: [{ id: 2 }, { id: 3 }] },
  },
  {
    rule: '9 void',
    request: 'POST /rpc/nothing',
    status: 204,
    text: '',
    answer: { 'content-range': '0-0/*', 'content-type': null, 'content-length': null },
  },
  {
    rule: '9 a value has no columns to select',
    request: 'GET /rpc/add?a=1&select=x',
    status: 400,
    json: { code: '42703', details: null, hint: null, message: 'column add.x does not exist' },
  },
  { rule: '9 order and limit on values', request: 'GET /rpc/numbers?upto=3&limit=1&offset=1', status: 200, json: [2] },
  {
    rule: '9 a function’s rows with a computed column',
    request: 'GET /rpc/authors_after?year=1921&select=loud&order=loud',
    status: 200,
    json: [{ loud: 'ITALO' }, { loud: 'URSULA' }],
  },
  {
    rule: '9 a function’s rows as a spread',
    request: 'GET /rpc/readers_of?book=1&select=name,...reviews(stars)&order=id',
    status: 200,
    json: [
      { name: 'Ada', stars: [5] },
      { name: 'Bob', stars: [] },
    ],
  },
  {
    rule: '9 aggregates of a function’s rows',
    request: 'GET /rpc/authors_after?year=1900&select=n:count(),born.max()',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ n: 3, max: 1929 }],
  },
  {
    rule: '9 counts of a function’s rows',
    request: 'GET /rpc/authors_after?year=1900&limit=1',
    headers: { prefer: 'count=exact' },
    status: 206,
    json: [{ id: 1, name: 'Ursula', born: 1929 }],
    answer: { 'content-range': '0-0/3' },
  },
  {
    rule: '9 a logic tree on rows',
    request: 'GET /rpc/authors_after?year=1900&or=(id.eq.1,id.eq.2)&select=id&order=id',
    status: 200,
    json: [{ id: 1 }, { id: 2 }],
  },
  {
    rule: '9 a computed column beside the star',
    request: 'GET /rpc/authors_after?year=1921&select=*,loud',
    status: 200,
    json: [
      { id: 1, name: 'Ursula', born: 1929, loud: 'URSULA' },
      { id: 2, name: 'Italo', born: 1923, loud: 'ITALO' },
    ],
  },
  {
    rule: '9 a computed column and a computed relationship',
    request: 'GET /rpc/authors_after?year=1921&select=name,loud,latest_book(id)',
    status: 200,
    json: [
      { name: 'Ursula', loud: 'URSULA', latest_book: { id: 1 } },
      { name: 'Italo', loud: 'ITALO', latest_book: { id: 3 } },
    ],
  },
  {
    rule: '9 order by a computed column beside the star',
    request: 'GET /rpc/authors_after?year=1900&order=loud',
    status: 200,
    json: [
      { id: 3, name: 'Clarice', born: 1920 },
      { id: 2, name: 'Italo', born: 1923 },
      { id: 1, name: 'Ursula', born: 1929 },
    ],
  },
  {
    rule: '9 filter by a computed column beside the star',
    request: 'GET /rpc/authors_after?year=1900&loud=eq.ITALO',
    status: 200,
    json: [{ id: 2, name: 'Italo', born: 1923 }],
  },
  {
    rule: '9 default select with a computed relationship',
    request: 'GET /rpc/authors_after?year=1921&select=*,latest_book(id)',
    status: 200,
    json: [
      { id: 1, name: 'Ursula', born: 1929, latest_book: { id: 1 } },
      { id: 2, name: 'Italo', born: 1923, latest_book: { id: 3 } },
    ],
  },
  {
    rule: '9 one row with a computed column',
    request: 'GET /rpc/one_author?author=1&select=*,loud',
    status: 200,
    json: { id: 1, name: 'Ursula', born: 1929, loud: 'URSULA' },
  },
]
