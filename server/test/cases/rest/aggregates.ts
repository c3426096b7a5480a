import type { RestCase } from './case.ts'

export const aggregates: readonly RestCase[] = [
  {
    rule: '3.6 count of rows',
    request: 'GET /books?select=count()',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ count: 5 }],
  },
  {
    rule: '3.6 a count with an alias and a cast',
    request: 'GET /books?select=n:count()::text',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ n: '5' }],
  },
  {
    rule: '3.6 sum, avg, min and max',
    request: 'GET /books?select=price.sum(),price.avg(),price.min(),price.max()',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ sum: 41.75, avg: 8.35, min: 5, max: 12.5 }],
  },
  {
    rule: '3.6 casts before and after',
    request: 'GET /books?select=price::int.sum()::text',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ sum: '42' }],
  },
  {
    rule: '3.6 other columns group',
    request: 'GET /books?select=author_id,n:count()&order=author_id',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [
      { author_id: 1, n: 1 },
      { author_id: 2, n: 2 },
      { author_id: 3, n: 1 },
      { author_id: null, n: 1 },
    ],
  },
  {
    rule: '3.6 an aggregate of a JSON path',
    request: 'GET /books?select=info->>pages::int.max()',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ max: 387 }],
  },
  {
    rule: '3.6 aggregates of an embed group within it',
    request: 'GET /authors?select=name,books(n:count(),price.sum())&order=id',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [
      { name: 'Ursula', books: [{ n: 1, sum: 12.5 }] },
      { name: 'Italo', books: [{ n: 2, sum: 17.25 }] },
      { name: 'Clarice', books: [{ n: 1, sum: 7 }] },
      { name: 'Nobody', books: [{ n: 0, sum: null }] },
    ],
  },
  {
    rule: '3.6 aggregates of an embed group by what is embedded beside them, too',
    request: 'GET /authors?select=name,books(n:count(),...authors(born.max()),shelves(name))&id=eq.2',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [
      {
        name: 'Italo',
        books: [
          { n: 1, max: 1923, shelves: [] },
          { n: 1, max: 1923, shelves: [{ name: 'window' }, { name: 'back' }] },
        ],
      },
    ],
  },
  {
    rule: '3.6 aggregates of a to-one spread are its ancestor’s',
    request: 'GET /books?select=n:count(),...authors(born.max())',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ n: 5, max: 1929 }],
  },
  {
    rule: '3.6 no aggregate in a to-many spread',
    request: 'GET /authors?select=name,...books(price.sum())',
    settings: { aggregatesEnabled: true },
    status: 400,
    json: {
      code: 'PGRST127',
      details: 'Aggregates are not implemented for one-to-many or many-to-many spreads.',
      hint: null,
      message: 'Feature not implemented',
    },
  },
  {
    rule: '3.6 an unknown aggregate',
    request: 'GET /books?select=price.median()',
    settings: { aggregatesEnabled: true },
    status: 400,
    json: {
      code: 'PGRST100',
      details: 'unexpected "m" expecting "sum", "avg", "count", "max" or "min"',
      hint: null,
      message: '"failed to parse select parameter (price.median())" (line 1, column 7)',
    },
  },
]
