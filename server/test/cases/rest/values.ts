import type { RestCase } from './case.ts'

export const values: readonly RestCase[] = [
  {
    rule: '12 a domain is shown by its function',
    request: 'GET /paints?order=id',
    status: 200,
    json: [
      { id: 1, shade: '#0000ff', label: 'blue' },
      { id: 2, shade: '#000000', label: 'black' },
    ],
  },
  {
    rule: '12 a domain is shown by its function under an alias',
    request: 'GET /paints?select=id,tone:shade&id=eq.1',
    status: 200,
    json: [{ id: 1, tone: '#0000ff' }],
  },
  {
    rule: '12 a filter is read by the domain’s function',
    request: 'GET /paints?select=id&shade=eq.#0000ff',
    status: 200,
    json: [{ id: 1 }],
  },
  {
    rule: '12 a list is read by the domain’s function',
    request: 'GET /paints?select=id&shade=in.(#0000ff,#111111)',
    status: 200,
    json: [{ id: 1 }],
  },
  {
    rule: '12 a negated filter is read by the domain’s function',
    request: 'GET /paints?select=id&shade=not.eq.#0000ff',
    status: 200,
    json: [{ id: 2 }],
  },
  {
    rule: '12 a comparison is read by the domain’s function',
    request: 'GET /paints?select=id&shade=gt.#000000',
    status: 200,
    json: [{ id: 1 }],
  },
  {
    rule: '12 a payload is read by the domain’s function',
    request: 'POST /paints?select=id,shade',
    headers: { prefer: 'return=representation' },
    body: { id: 9, shade: '#000010' },
    status: 201,
    json: [{ id: 9, shade: '#000010' }],
  },
  {
    rule: '12 an update is read by the domain’s function',
    request: 'PATCH /paints?id=eq.1&select=shade',
    headers: { prefer: 'return=representation' },
    body: { shade: '#000010' },
    status: 200,
    json: [{ shade: '#000010' }],
  },
  {
    rule: '12 CSV shows the domain’s own value',
    request: 'GET /paints?select=id,shade&id=eq.1',
    headers: { accept: 'text/csv' },
    status: 200,
    text: 'id,shade\n1,255',
  },
  {
    rule: '12 aggregates take the domain’s own value',
    request: 'GET /paints?select=shade.max()',
    settings: { aggregatesEnabled: true },
    status: 200,
    json: [{ max: 255 }],
  },
  {
    rule: '12 paths go into the domain’s own value',
    request: 'GET /paints?select=shade->x&id=eq.1',
    status: 200,
    json: [{ x: null }],
  },
  {
    rule: '12 a cast comes after the domain’s function',
    request: 'GET /paints?select=shade::text&id=eq.1',
    status: 200,
    json: [{ shade: '"#0000ff"' }],
  },
  {
    rule: '12 numbers keep their digits',
    request: 'GET /items?select=big,exact&id=eq.1',
    status: 200,
    text: '[{"big":9007199254740993,"exact":1.50}]',
  },
  {
    rule: '12 json keeps its own whitespace',
    request: 'GET /items?select=doc&id=eq.1',
    status: 200,
    text: '[{"doc":{"b": 1,  "a":[1,2]}}]',
  },
  {
    rule: '12 embeds are jsonb',
    request: 'GET /books?select=id,authors(id,name)&id=eq.1',
    status: 200,
    text: '[{"id":1,"authors":{"id": 1, "name": "Ursula"}}]',
  },
]
