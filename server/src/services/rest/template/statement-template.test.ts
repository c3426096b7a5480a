import { describe, expect, test } from 'vitest'
import { bookSchema } from '../../../../test/book-schema.ts'
import { ServiceError } from '../../../ground/errors/service-error.ts'
import { readSettings } from '../../../ground/settings/read.ts'
import { parseRequest, type RawRequest } from '../parse/request.ts'
import { restSettings } from '../settings.ts'
import { bindStatement } from './bind.ts'
import { createStatementTemplate, createStatementTemplates, type StatementTemplates } from './statement-template.ts'

const { values: settings } = readSettings(restSettings, [])
const cache = bookSchema()

const asked = (query: string, more: Partial<RawRequest> = {}): RawRequest => ({
  method: 'GET',
  path: '/books',
  query,
  headers: {},
  body: Buffer.alloc(0),
  ...more,
})

const insert = (body: string, query = ''): RawRequest => asked(query, { method: 'POST', body: Buffer.from(body) })

/** The statement of a request by its template. */
function bound(templates: StatementTemplates, raw: RawRequest, schema = cache) {
  const found = templates.find(schema, raw)
  if (found === null || found.template.statement === null) throw new Error('no template')
  return { ...bindStatement(found.template.statement, found.bindings), template: found.template }
}

/** The statement of a request read and planned by itself. */
function alone(raw: RawRequest) {
  const { statement } = createStatementTemplate(cache, settings, parseRequest(raw, settings))
  if (statement === null) throw new Error('no statement')
  return { text: statement.text, values: statement.values }
}

const alike: readonly (readonly [RawRequest, RawRequest])[] = [
  [asked('id=eq.1'), asked('id=eq.2')],
  [asked('id=eq.'), asked('id=eq.eq.null')],
  [asked('id=not.eq.1&info->>a=gt.x'), asked('id=not.eq.%24%31&info->>a=gt.%27%3B--')],
  [asked('info->>a=like.a*'), asked('info->>a=like.*b+c*')],
  [asked('id=in.(1,2)'), asked('id=in.(3)')],
  [asked('id=not.in.(1,2)'), asked('id=not.in.(-1,a_b,c.d:e)')],
  [asked('info=cs.{"a":1}'), asked('info=cs.null')],
  [insert('{"id": 1.0}'), insert('{"id": "x"}')],
  [insert('[{"id": 1}]'), insert('[{"id": 1}, {"id": 2}]')],
  [insert('[{"id":1,"info":{}}]', 'columns=id'), insert('[]', 'columns=id')],
  [asked('id=eq.1', { method: 'DELETE' }), asked('id=eq.2', { method: 'DELETE' })],
]

test.each(alike)('$0.query and $1.query $1.body share a template, each with its own values', (first, second) => {
  const templates = createStatementTemplates(settings, 10)
  const [one, two] = [bound(templates, first), bound(templates, second)]
  expect(two.template).toBe(one.template)
  expect({ text: one.text, values: one.values }).toEqual(alone(first))
  expect({ text: two.text, values: two.values }).toEqual(alone(second))
})

const unlike: readonly (readonly [RawRequest, RawRequest])[] = [
  [asked('id=is.null'), asked('id=is.true')],
  [asked('id=eq.1'), asked('id=gt.1')],
  [asked('id=eq.1'), asked('id=not.eq.1')],
  [asked('id=eq.1'), asked('author_id=eq.1')],
  [asked('id=in.(1,2)'), asked('id=in.("1,2")')],
  [asked('id=eq(any).{1}'), asked('id=eq.(any)')],
  [asked('limit=1'), asked('limit=2')],
  [asked('select=id'), asked('select=id::text')],
  [asked('order=id'), asked('order=id.desc')],
  [asked('or=(id.eq.1,id.eq.2)'), asked('or=(id.eq.1,id.eq.3)')],
  [asked('%6Frder=id'), asked('%6Frder=author_id')],
  [asked('select=id,authors(name)&authors.limit=1'), asked('select=id,authors(name)&authors.limit=2')],
  [asked(''), asked('', { headers: { prefer: 'count=exact' } })],
  [asked(''), asked('', { headers: { accept: 'text/csv' } })],
  [asked(''), asked('', { headers: { range: '0-1' } })],
  [asked(''), asked('', { path: '/authors' })],
  [insert('{"id":1}'), insert('{"author_id":1}')],
  [insert('{"id":1}'), insert('[{"id":1}]')],
  [insert('{"id":1}'), insert('{"id":1,"info":2}')],
]

test.each(unlike)('$0.query and $1.query $1.headers $1.body do not collide', (first, second) => {
  const templates = createStatementTemplates(settings, 10)
  for (const raw of [first, second, first]) {
    const { text, values } = bound(templates, raw)
    expect({ text, values }).toEqual(alone(raw))
  }
  expect(templates.size).toBe(2)
})

describe('what is remembered', () => {
  test('belongs to one schema cache', () => {
    const templates = createStatementTemplates(settings, 10)
    const old = bound(templates, asked('id=eq.1')).template
    bound(templates, asked('order=id'))
    const fresh = bookSchema()
    const renewed = bound(templates, asked('id=eq.1'), fresh).template
    expect(renewed).not.toBe(old)
    expect(renewed.cache).toBe(fresh)
    expect(templates.size).toBe(1)
  })

  test('is bounded, and the least recently used goes first', () => {
    const templates = createStatementTemplates(settings, 3)
    const kept = bound(templates, asked('id=eq.1')).template
    for (let limit = 1; limit <= 20; limit += 1) {
      bound(templates, asked(`limit=${limit}`))
      expect(bound(templates, asked('id=eq.1')).template).toBe(kept)
    }
    expect(templates.size).toBe(3)
  })

  test('is no refusal, and nothing long', () => {
    const templates = createStatementTemplates(settings, 10)
    expect(() => templates.find(cache, asked('id=equals.1'))).toThrow(ServiceError)
    expect(() => templates.find(cache, insert('{"unknown":1}'))).toThrow(ServiceError)
    expect(() => templates.find(cache, insert('{'))).toThrow(ServiceError)
    expect(templates.find(cache, asked(`order=${'id,'.repeat(3000)}id`))).toBeNull()
    expect(templates.size).toBe(0)
  })
})
